"""What a measurement of several encoders says: tokens per second, and bytes per token."""

__all__ = ["speeds"]


def speeds(measured: dict[str, dict[str, float]]) -> dict[str, list]:
    """The columns of the table, encoders in the order given; `measured` holds bytes, tokens and seconds of each.

    >>> speeds({"mine": {"bytes": 60, "tokens": 20, "seconds": 0.5}})
    {'encoder': ['mine'], 'tokens_per_second': [40.0], 'bytes_per_token': [3.0]}
    """
    return {
        "encoder": list(measured),
        "tokens_per_second": [one["tokens"] / one["seconds"] for one in measured.values()],
        "bytes_per_token": [one["bytes"] / one["tokens"] for one in measured.values()],
    }
