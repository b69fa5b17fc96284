"""`python -m babbench` is the command babbench."""

from ._command import main

main()
