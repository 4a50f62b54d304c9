"""Transactions at servers: what is asked of whom, and what follows from the answers.

Internal: programs use what :mod:`canopygrid` exports.
"""
