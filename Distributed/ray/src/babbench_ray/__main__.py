"""The command as a module: python3 -m babbench_ray."""

from babbench_ray.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
