"""The `answerable` command, also as `python -m answerable`."""

from __future__ import annotations


def main() -> None:
    """The command's parts take a second to load, in which Ctrl+C must be as quiet as later."""
    try:
        from answerable import cli
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    cli.main()


if __name__ == "__main__":
    main()
