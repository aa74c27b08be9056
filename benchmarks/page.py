"""The page of the benchmarks."""

from pathlib import Path

PAGE = Path(__file__).with_name("README.md")
