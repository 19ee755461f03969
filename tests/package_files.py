"""Test packages of small pages on disk, each in files of its own."""


def write_package(folder, pages):
    """Write pages to a new folder: by name their HTML, their main text, and facts, if any."""
    folder.mkdir(parents=True)
    (folder / "description.package").write_text(f"name: {folder.name}\n")
    for name, contents in pages.items():
        for suffix, content in zip(("html", "txt", "meta"), contents, strict=False):
            (folder / f"{name}.{suffix}").write_text(content)
    return folder
