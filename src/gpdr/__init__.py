"""Appointment rules that clinics can read and trust: genetic programming with dimension repair."""
