"""Reads a calendar from standard input with the parsers that Debian has, and prints the events of each as JSON.

libical is behind Evolution, GNOME Calendar and KOrganizer, icalendar behind khal and Home Assistant, vobject behind Radicale.
"""

import json
import sys
from datetime import timezone

import gi
import icalendar
import vobject

gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib


def milliseconds(moment):
    return int(moment.astimezone(timezone.utc).timestamp() * 1000)


def with_icalendar(text):
    for event in icalendar.Calendar.from_ical(text).walk("VEVENT"):
        if event.errors:
            raise ValueError(str(event.errors))
        yield {
            "uid": str(event["UID"]),
            "summary": str(event["SUMMARY"]),
            "start": milliseconds(event.decoded("DTSTART")),
            "end": milliseconds(event.decoded("DTEND")) if "DTEND" in event else None,
            "sequence": int(event["SEQUENCE"]),
            "status": str(event["STATUS"]),
        }


def with_vobject(text):
    calendar = vobject.readOne(text)
    calendar.validate(raiseException=True)
    for event in calendar.contents.get("vevent", []):
        yield {
            "uid": event.uid.value,
            "summary": event.summary.value,
            "start": milliseconds(event.dtstart.value),
            "end": milliseconds(event.dtend.value) if "dtend" in event.contents else None,
            "sequence": int(event.sequence.value),
            "status": event.status.value,
        }


def with_libical(text):
    calendar = ICalGLib.Component.new_from_string(text)
    if calendar is None:
        raise ValueError("libical reads no component")
    # It turns every line that it cannot read into an error beside the events.
    if calendar.count_errors() > 0:
        raise ValueError(f"libical counts {calendar.count_errors()} errors")
    if not ICalGLib.Component.check_restrictions(calendar):
        raise ValueError("libical finds a property where the specification allows none")
    event = calendar.get_first_component(ICalGLib.ComponentKind.VEVENT_COMPONENT)
    while event is not None:
        end = event.get_first_property(ICalGLib.PropertyKind.DTEND_PROPERTY)
        yield {
            "uid": event.get_uid(),
            "summary": event.get_summary(),
            "start": event.get_dtstart().as_timet() * 1000,
            "end": None if end is None else end.get_dtend().as_timet() * 1000,
            "sequence": event.get_sequence(),
            "status": event.get_first_property(ICalGLib.PropertyKind.STATUS_PROPERTY).get_value_as_string(),
        }
        event = calendar.get_next_component(ICalGLib.ComponentKind.VEVENT_COMPONENT)


# Without this, line ends within the text would be translated.
source = sys.stdin.buffer.read().decode("utf-8")
readers = {"libical": with_libical, "icalendar": with_icalendar, "vobject": with_vobject}
json.dump({name: list(read(source)) for name, read in readers.items()}, sys.stdout)
