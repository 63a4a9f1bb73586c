"""`python -m gpdr` is `gpdr`."""

from gpdr.cli import main

if __name__ == "__main__":
    main()
