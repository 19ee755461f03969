"""Memory that a process and those below it hold."""

from __future__ import annotations


def used_by(pid: int) -> int:
    """Return the bytes that a process and its descendants hold; 0 where there is no such process.

    Pages that processes share are counted once, for the one that has most of them.
    """
    import psutil

    try:
        root = psutil.Process(pid)
        processes = [root, *root.children(recursive=True)]
    except psutil.Error:
        return 0
    own, shared = 0, [0]
    for process in processes:
        try:
            memory = process.memory_info()
        except psutil.Error:
            continue  # it has just ended
        shared.append(getattr(memory, "shared", 0))
        own += memory.rss - shared[-1]
    return own + max(shared)
