"""The clinic: its patients, rules, timetables, simulator and optimum."""
