"""Appointment rules as a problem of evolution."""
