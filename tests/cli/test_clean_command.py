"""`dehusk clean` as people use it; where exit codes and pipes matter, in a real process."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import dehusk, dehusk_process, runner
from small_pages import PAGE_WITH_HIDDEN_TEXT
from thoroughness import THOROUGH

from dehusk.cli import app, main
from dehusk.cli.clean_command import Format
from dehusk.cli.clean_running import CleanRequest
from dehusk.deciding.rules import RULES
from dehusk.methods import DEFAULT_METHOD
from dehusk.outputs import OUTPUTS
from dehusk.outputs.chunks import MAX_WORDS

ARTICLE = (
    "<title>Tea</title><nav><a href=/>Home</a></nav><div><p>"
    + "Steep the leaves for three minutes. " * 6
    + "</p></div>"
)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.html").write_text(ARTICLE)
    (folder / "sub" / "b.HTM").write_text(ARTICLE.replace("Tea", "Coffee"))
    (folder / "notes.txt").write_text("not a page")
    (folder / ".hidden.html").write_text(ARTICLE)
    return folder


def test_one_page_goes_to_standard_output_alone(pages: Path) -> None:
    result = dehusk_process("clean", str(pages / "a.html"))
    assert result.returncode == 0
    assert result.stdout.decode().startswith("Steep the leaves")
    assert b"Home" not in result.stdout
    assert result.stderr == b""


@pytest.mark.parametrize("name", ["a.html", "missing.html", "notes.txt"])
def test_pages_alone_are_cleaned_as_with_options(pages: Path, name: str) -> None:
    """Without options the command line is not parsed."""
    plain, parsed = (dehusk_process("clean", str(pages / name), *options) for options in ([], ["--jobs", "1"]))
    assert (plain.returncode, plain.stdout, plain.stderr) == (parsed.returncode, parsed.stdout, parsed.stderr)


def test_standard_input(pages: Path) -> None:
    result = dehusk_process("clean", "-", "--format", "json", stdin=ARTICLE.encode())
    document = json.loads(result.stdout)
    assert result.returncode == 0
    assert document["name"] == "<standard input>"
    assert [block["label"] for block in document["blocks"]][1:] == ["noise", "content"]


def test_relative_links_start_from_the_address_that_a_file_came_from(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    page.write_text(ARTICLE.replace("</p>", " See <a href='more'>more</a>.</p>", 1))
    address = ["--url", "https://tea.example/green/", "-f", "markdown"]
    cleaned = dehusk("clean", str(page), *address).stdout.decode()
    assert "See [more](https://tea.example/green/more)." in cleaned
    piped = dehusk_process("clean", "-", *address, stdin=page.read_bytes())
    assert piped.stdout.decode() == cleaned


@pytest.mark.parametrize("format_name", [name for name in OUTPUTS if name not in {"jsonl", "csv"}])
def test_a_folder_is_written_into_a_folder(pages: Path, tmp_path: Path, format_name: str) -> None:
    output = tmp_path / "out"
    jobs = "2" if THOROUGH or format_name == "markdown" else "1"
    result = dehusk("clean", str(pages), "--output", str(output), "--format", format_name, "--jobs", jobs)
    suffix = OUTPUTS[format_name].suffix
    assert result.returncode == 0, result.stderr
    assert sorted(path.relative_to(output).as_posix() for path in output.rglob("*.*")) == [
        f"a{suffix}",
        f"sub/b{suffix}",
    ]
    assert "steep the leaves" in (output / f"a{suffix}").read_text("utf-8").lower()
    for heading in (b"pages", b"bytes before", b"bytes after", b"text removed", b"seconds", b"failures"):
        assert heading in result.stderr
    assert result.stdout == b""


def test_removed_compares_text_with_text(tmp_path: Path) -> None:
    # All content, in much markup: nothing of the text is removed.
    words = "Steep the leaves for three minutes, then pour the tea into a warm cup and wait a little. " * 3
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(2):
        markup = f"<div class={'x' * 500}>" * 3
        text = f"<article><h1>How to make tea</h1><p>{words}</p><p>{words}</p>"
        (folder / f"{number}.html").write_text(f"<body>{markup}{text}")
    result = dehusk("clean", str(folder), "--output", str(tmp_path / "out"))
    assert result.returncode == 0, result.stderr
    assert b" 0.0%" in result.stderr


def read_records(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream)) if path.suffix == ".csv" else [json.loads(line) for line in stream]


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_all_pages_go_into_one_file_of_records(pages: Path, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / "new" / f"pages.{suffix}"
    result = dehusk("clean", str(pages), "--format", suffix, "--content", "markdown", "--output", str(target))
    assert result.returncode == 0, result.stderr
    records = read_records(target)
    assert [record["name"] for record in records] == [str(pages / "a.html"), str(pages / "sub" / "b.HTM")]
    assert [record["title"] for record in records] == ["Tea", "Coffee"]
    assert "Steep the leaves" in records[0]["text"]
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_interrupted_records_go_on_where_they_stopped(pages: Path, tmp_path: Path, suffix: str) -> None:
    target, kept = tmp_path / f"pages.{suffix}", tmp_path / f".pages.{suffix}.part"
    dehusk("clean", str(pages), "--format", "jsonl", "--output", str(tmp_path / "whole.jsonl"))
    first, second = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    # A mark in the first record shows that it is kept; half of the second is lost with the power.
    kept.write_bytes(first.replace(b"Steep the leaves", b"Kept from before") + second[:40])
    result = dehusk("clean", str(pages), "--format", suffix, "--output", str(target), "--resume")
    assert result.returncode == 0, result.stderr
    texts = [record["text"] for record in read_records(target)]
    assert len(texts) == 2
    assert "Kept from before" in texts[0]
    assert not kept.exists()


def test_records_of_good_pages_are_written_though_others_fail(pages: Path, tmp_path: Path) -> None:
    os.symlink("nowhere", pages / "c.html")
    result = dehusk("clean", str(pages), "--format", "jsonl", "--output", str(tmp_path / "pages.jsonl"))
    assert result.returncode == 1
    assert len(read_records(tmp_path / "pages.jsonl")) == 2


def test_records_need_a_file_to_go_into(pages: Path, tmp_path: Path) -> None:
    result = dehusk("clean", str(pages), "--format", "csv", "--output", str(tmp_path))
    assert result.returncode == 2
    assert b"is a folder; name a file" in result.stderr


def test_records_to_standard_output(pages: Path) -> None:
    lines = dehusk("clean", str(pages), "--format", "jsonl").stdout.decode().splitlines()
    assert [json.loads(line)["title"] for line in lines] == ["Tea", "Coffee"]
    table = dehusk("clean", str(pages), "--format", "csv").stdout.decode()
    assert [record["title"] for record in csv.DictReader(table.splitlines(keepends=True))] == ["Tea", "Coffee"]


def test_what_is_shown_beyond_the_words(tmp_path: Path) -> None:
    html = ARTICLE.replace("</p>", " See <a href='/more'><b>more</b></a>.</p>", 1)
    (tmp_path / "p.html").write_text(html)
    plain = dehusk(
        "clean", str(tmp_path / "p.html"), "--format", "markdown", "--no-formatting", "--no-links"
    ).stdout.decode()
    marked = dehusk("clean", str(tmp_path / "p.html"), "--format", "markdown", "--links").stdout.decode()
    without = dehusk("clean", str(tmp_path / "p.html"), "--format", "html", "--no-links").stdout.decode()
    assert "See more." in plain
    assert "See [**more**](/more)." in marked
    assert "See <strong>more</strong>." in without


def test_cells_that_span_several_positions(tmp_path: Path) -> None:
    table = "<table><tr><th>Month<th>Tea<tr><td rowspan=2>April<td>Two cups a day<tr><td>Three cups a day</table>"
    (tmp_path / "p.html").write_text(ARTICLE.replace("</p>", f"</p>{table}", 1))
    once = dehusk("clean", str(tmp_path / "p.html"), "--format", "markdown", "--keep", "table").stdout.decode()
    command = ("clean", str(tmp_path / "p.html"), "--format", "markdown", "--keep", "table", "--repeat-spans")
    repeated = dehusk(*command).stdout.decode()
    assert "|  | Three cups a day |" in once
    assert "| April | Three cups a day |" in repeated


def test_many_pages_to_standard_output_are_told_apart(pages: Path) -> None:
    plain = dehusk("clean", str(pages)).stdout.decode()
    assert plain.count("==> ") == 2
    lines = dehusk("clean", str(pages), "--format", "json").stdout.decode().splitlines()
    assert [json.loads(line)["blocks"][0]["text"] for line in lines] == ["Tea", "Coffee"]


@pytest.mark.parametrize(
    ("body", "message"), [(b"%PDF-1.4\n", b"is a PDF, not html"), (b"", b"page.html: is empty")], ids=["pdf", "empty"]
)
def test_what_is_not_a_page_is_refused_alone_and_skipped_among_others(
    body: bytes, message: bytes, pages: Path, tmp_path: Path
) -> None:
    (pages / "page.html").write_bytes(body)
    for options in ((), ("--explain",)):
        alone = dehusk("clean", str(pages / "page.html"), *options)
        assert (alone.returncode, alone.stdout) == (2, b"")
        assert message in alone.stderr
    among = dehusk("clean", str(pages), "--output", str(tmp_path / "out"))
    assert among.returncode == 0, among.stderr
    assert message in among.stderr
    assert b"skipped" in among.stderr
    assert sorted(path.name for path in (tmp_path / "out").rglob("*.txt")) == ["a.txt", "b.txt"]


def test_pipes_in_a_folder_are_skipped_and_links_out_of_it_followed_if_asked(pages: Path, tmp_path: Path) -> None:
    os.mkfifo(pages / "pipe.html")
    (tmp_path / "out.html").write_text(ARTICLE)
    (pages / "link.html").symlink_to(tmp_path / "out.html")
    result = dehusk("clean", str(pages))
    assert (result.returncode, result.stdout.count(b"==>")) == (0, 2)
    assert b"pipe.html: is a pipe, not a file" in result.stderr
    assert b"link.html: is a link that leads out of the folder" in result.stderr
    assert dehusk("clean", str(pages), "--follow-links").stdout.count(b"==>") == 3


def test_a_pipe_of_the_shell_is_read_and_can_be_learnt_from(pages: Path) -> None:
    command = f"{sys.executable} -m dehusk clean --learn --jobs 2 <(cat {pages}/a.html) {pages}/sub/b.HTM"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(b"Steep the leaves") == 12


def test_an_empty_standard_input_says_so() -> None:
    result = dehusk("clean", "-")
    assert result.returncode == 2
    assert b"<standard input>: is empty" in result.stderr


def test_a_bad_file_is_reported_and_the_rest_go_on(pages: Path, tmp_path: Path) -> None:
    (pages / "c.html").mkfifo() if hasattr(Path, "mkfifo") else os.symlink("nowhere", pages / "c.html")
    result = dehusk_process("clean", str(pages), "absent.html", "--output", str(tmp_path / "out"))
    message = result.stderr.decode()
    assert result.returncode == 1
    assert "absent.html: no such file or folder" in message
    assert f"{pages / 'c.html'}: no such file or directory" in message
    assert (tmp_path / "out" / "a.txt").exists()
    assert (tmp_path / "out" / "sub" / "b.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.html"], "no such file or folder"),
        ([".", "--method", "magic"], "magic: no such method; choose one of hybrid"),
        ([".", "--resume"], "--resume needs --output"),
        ([".", "--url", "https://tea.example/"], "--url is the address of one page"),
        (["."], "no pages found"),
        ([".", "--format", "pdf"], "pdf"),
        ([".", "--jobs", "0"], "jobs"),
    ],
)
def test_wrong_usage_has_its_own_exit_code(arguments: list[str], message: str, tmp_path: Path) -> None:
    run = dehusk_process if arguments == ["absent.html"] else dehusk
    result = run("clean", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert b"Traceback" not in result.stderr
    assert (b"no pages found" in result.stderr) == (message == "no pages found")


def test_json_has_reasons_if_asked(pages: Path) -> None:
    plain, explained = (
        json.loads(dehusk("clean", str(pages / "a.html"), "--format", "json", *more).stdout)["blocks"]
        for more in ([], ["--explain"])
    )
    assert not any("reasons" in block for block in plain)
    assert all(block["reasons"] for block in explained)


def test_explain_shows_every_block_with_score_and_reason(pages: Path) -> None:
    shown = dehusk_process("clean", str(pages / "a.html"), "--explain", "-m", "satisfiable-subtree").stdout.decode()
    assert "+ 1.00 title        Tea" in shown
    assert "repeats the page title" in shown
    assert "- 0.00 other        Home" in shown
    assert "link text" in shown or "shorter than 100" in shown
    assert "2 of 3 blocks kept by satisfiable-subtree; read as utf-8 (plain ASCII)" in shown
    assert "\x1b" not in shown, "no colours in a pipe"


def test_a_rule_can_be_switched_off(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(PAGE_WITH_HIDDEN_TEXT)
    assert "(rule hidden-text)" in dehusk("clean", str(page), "--explain").stdout.decode()
    options = ["--without-rule", "hidden-text", "--without-rule", "teasers"]
    assert "(rule hidden-text)" not in dehusk("clean", str(page), "--explain", *options).stdout.decode()
    assert "Cup number" not in dehusk("clean", str(page)).stdout.decode()
    assert "Cup number" in dehusk("clean", str(page), *options).stdout.decode()
    refused = dehusk("clean", str(page), "--without-rule", "magic")
    assert refused.returncode == 2
    assert f"--without-rule: no rule is called 'magic'; choose from {', '.join(RULES)}" in refused.stderr.decode()


@pytest.mark.parametrize("command", ["clean", "batch"])
@pytest.mark.parametrize("option", [["--without-rule", "teasers"], ["--comments"], ["--favour", "recall"]])
def test_options_of_methods_that_judge_pages_are_refused_for_others(
    pages: Path, tmp_path: Path, command: str, option: list[str]
) -> None:
    arguments = [command, str(pages), "-m", "style-tree", "-o", str(tmp_path / "out"), *option]
    result = runner().invoke(app, arguments, env={"COLUMNS": "300"})
    assert result.exit_code == 2
    cause = "works with the methods hybrid and page-evidence only, not with style-tree"
    assert f"{option[0]}: {cause}; leave it out, or choose one of them with --method" in result.stderr
    assert not (tmp_path / "out").exists()


def test_without_a_method_pages_are_cleaned_by_the_default(pages: Path) -> None:
    shown = dehusk("clean", str(pages / "a.html"), "--explain").stdout.decode()
    assert f"blocks kept by {DEFAULT_METHOD};" in shown
    assert "% content" in shown


def test_explain_cannot_steer_the_terminal(tmp_path: Path) -> None:
    page = tmp_path / "\x1b[31mred.html"
    page.write_bytes(b"<p>" + b"\x1b]0;owned\x07 and \xc2\x9b31m some more text to be kept " * 10)
    shown = dehusk("clean", str(page), "--explain").stdout.decode()
    assert "\x1b" not in shown
    assert "\x9b" not in shown


def test_a_reader_that_goes_away_ends_it_quietly(sample_site: Path) -> None:
    command = f"{sys.executable} -m dehusk clean {sample_site} --format json | head -c 10"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert len(result.stdout) == 10
    assert b"Traceback" not in result.stderr
    assert b"BrokenPipe" not in result.stderr


def test_resume_leaves_finished_pages_alone(pages: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    dehusk("clean", str(pages), "--output", str(output))
    (output / "a.txt").write_text("kept as it is")
    (output / "sub" / "b.txt").unlink()
    result = dehusk("clean", str(pages), "--output", str(output), "--resume")
    assert result.returncode == 0
    assert (output / "a.txt").read_text() == "kept as it is"
    assert "Steep" in (output / "sub" / "b.txt").read_text()
    assert b"already there" in result.stderr


def test_results_are_never_mixed_up(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("a.html", "a.htm", "a.html.html"):
        (folder / name).write_text(ARTICLE.replace("<p>", f"<p>{name}. "))
    dehusk("clean", str(folder), str(folder / "a.html"), "--output", str(tmp_path / "out"))
    texts = sorted(path.read_text().split(". ")[0] for path in (tmp_path / "out").iterdir())
    assert texts == ["a.htm", "a.html", "a.html", "a.html.html"]


def test_an_output_that_cannot_be_written_is_an_error_of_ours(pages: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file, not a folder")
    result = dehusk("clean", str(pages), "--output", str(tmp_path / "out"))
    assert result.returncode == 2
    assert b"choose another --output" in result.stderr
    assert b"Traceback" not in result.stderr


def test_formats_are_those_there_are() -> None:
    assert [member.value for member in Format] == list(OUTPUTS)


def test_the_sample_site_is_cleaned_whole(sample_site: Path, tmp_path: Path) -> None:
    result = dehusk("clean", str(sample_site), "--output", str(tmp_path / "out"), "--format", "markdown")
    assert result.returncode == 0
    written = list((tmp_path / "out").rglob("*.md"))
    assert len(written) == len(list(sample_site.rglob("*.html"))) >= 20
    assert not list((tmp_path / "out").rglob(".dehusk-*")), "no temporary files stay behind"


def test_pages_alone_are_cleaned_with_the_defaults_of_all_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """`dehusk clean page.html` is not parsed: its request must be the one that parsing would make."""
    requests: list[CleanRequest] = []
    monkeypatch.setattr("dehusk.cli.clean_running.clean_pages", requests.append)
    monkeypatch.setattr("sys.argv", ["dehusk", "clean", "a.html", "-"])
    main()
    assert runner().invoke(app, ["clean", "a.html", "-"]).exit_code == 0
    direct, parsed = requests
    assert parsed.chunk_sizes == (MAX_WORDS, 0)
    assert replace(parsed, chunk_sizes=None) == direct
