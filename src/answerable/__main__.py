"""`python -m answerable` is the `answerable` command."""

from answerable.cli import main

if __name__ == "__main__":
    main()
