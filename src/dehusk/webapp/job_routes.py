"""Handlers: jobs that are under way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dehusk.webapp.api_request import Call


def list_jobs(call: Call) -> Mapping[str, Any]:
    """All that are remembered."""
    return {"jobs": [job.as_dict() for job in call.desk.jobs.newest_first()]}


def show_job(call: Call) -> Mapping[str, Any]:
    """One, with its rows from a number on."""
    return call.desk.jobs.find(call.path["job"]).as_dict(call.number("after", 0))


def cancel_job(call: Call) -> Mapping[str, Any]:
    """Ask one to stop."""
    job = call.desk.jobs.find(call.path["job"])
    job.is_cancelled.set()
    return job.as_dict()
