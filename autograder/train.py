"""`python -m autograder.train FILE…`: pre-tokenized rules (R2) from files of any size, as chapter 7 reads them.

Counting shows its progress; learning takes seconds. With `--scheduler` the files are counted by a Dask cluster.
"""

import json
from pathlib import Path
from typing import Annotated

import rich.console
import rich.progress
import typer

from autograder.reference.corpus_counts import add_up, count_file, emptied
from autograder.reference.incremental_bpe import learn_words
from autograder.reference.pretokenized_bpe import number_of_merges, number_vocabulary

__all__ = ["app", "train"]

app = typer.Typer(add_completion=False)


def progress_bar() -> rich.progress.Progress:
    """On stderr: what is done, in bytes, and how long it will take."""
    return rich.progress.Progress(
        rich.progress.TextColumn("{task.description}"), rich.progress.BarColumn(), rich.progress.DownloadColumn(),
        rich.progress.TimeRemainingColumn(), console=rich.console.Console(stderr=True),
    )


def train(
    paths: list[Path], vocab_size: int, special_tokens: list[str], *, jobs: int = 1, scheduler: str | None = None
) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    """`pretokenized_bpe.train_bpe` for several files, each counted by itself; shows progress."""
    num_merges = number_of_merges(vocab_size, special_tokens)
    with progress_bar() as bar:
        counting = bar.add_task("counting", total=sum(path.stat().st_size for path in paths))

        def advance(size: int) -> None:
            bar.advance(counting, size)

        if scheduler is not None:
            from distributed import Client

            from autograder.reference.cluster_counts import count_on_cluster

            with Client(scheduler) as client:
                counts = count_on_cluster(client, [path.resolve() for path in paths], special_tokens, advance=advance)
        else:
            counts = {}
            for path in paths:
                add_up(counts, count_file(path, special_tokens, jobs, advance))
        bar.console.print(f"learning {num_merges:,} merges …", highlight=False)
        merges = learn_words(emptied(counts), num_merges)
    return number_vocabulary(special_tokens, merges), merges


@app.command()
def command(
    paths: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, metavar="FILE…", help="UTF-8 text")],
    vocab_size: Annotated[int, typer.Option(help="bytes, special tokens and merges together")] = 8000,
    special: Annotated[list[str] | None, typer.Option(help="a special token; may be given again")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="processes that count")] = 1,
    scheduler: Annotated[str | None, typer.Option(help="address of a Dask scheduler; its workers count")] = None,
    output: Annotated[Path, typer.Option(file_okay=False, help="folder for vocab.json and merges.json")] = Path("."),
) -> None:
    """Learn a vocabulary and merges, exactly those of the plain version in chapter 5."""
    try:
        vocab, merges = train(paths, vocab_size, special or [], jobs=jobs, scheduler=scheduler)
    except (ValueError, UnicodeDecodeError) as error:
        typer.echo(f"Cannot train: {error}", err=True)
        raise typer.Exit(2) from None
    output.mkdir(parents=True, exist_ok=True)
    in_hex = {number: piece.hex() for number, piece in vocab.items()}
    (output / "vocab.json").write_text(json.dumps(in_hex), encoding="utf-8")
    (output / "merges.json").write_text(json.dumps([[a.hex(), b.hex()] for a, b in merges]), encoding="utf-8")
    typer.echo(f"{len(vocab)} ids, {len(merges)} of them learnt: {output / 'vocab.json'}, {output / 'merges.json'}")


if __name__ == "__main__":
    app()
