"""A study's report: tables, figures and words, made of its store alone."""

from gpdr.study.report.write import write_report

__all__ = ["write_report"]
