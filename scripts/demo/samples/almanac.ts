import { modified, renamed } from '../sampleFile.ts'
import type { SamplePull } from '../samplePull.ts'

export const observances: SamplePull = {
  owner: 'fernweh',
  repo: 'almanac',
  number: 57,
  title: 'Rename holidays to observances and read the rules once',
  body: `Half of what we list is no holiday: time changes, elections, school terms. The module is called what it holds now.

While moving it: rules were parsed anew for every date. \`rules_of\` reads a country's file once and keeps it, which
makes a calendar of a year 60 times faster (2.9 s → 48 ms here). The old name still imports, with a warning, until 3.0.`,
  author: 'tomasz-lind',
  createdAt: '2026-08-19T18:03:22Z',
  updatedAt: '2026-08-21T06:30:10Z',
  mergedAt: '2026-08-21T06:30:09Z',
  commits: [
    { message: 'Move holidays.py to observances.py', author: 'tomasz-lind', at: '2026-08-19T17:20:00Z' },
    { message: 'Read the rules of a country once', author: 'tomasz-lind', at: '2026-08-19T17:51:46Z' },
    { message: 'Keep the old name until 3.0', author: 'ayumi-hart', at: '2026-08-20T20:15:03Z' },
  ],
  reviewComments: [
    {
      author: 'ayumi-hart',
      at: '2026-08-20T19:58:40Z',
      body: 'Plugins do `from almanac import holidays`. Can the old name stay for a release? I pushed a commit that does it.',
      path: 'almanac/__init__.py',
      line: 8,
    },
  ],
  reviews: [{ author: 'ayumi-hart', at: '2026-08-21T06:25:00Z', body: '', state: 'APPROVED' }],
  files: [
    modified(
      'almanac/__init__.py',
      `
@@ 1
 """Calendars of the days that are not like the others."""

-from almanac.holidays import Holiday, holidays_on
+import importlib
+import warnings

-__all__ = ["Holiday", "holidays_on"]
+from almanac.observances import Observance, observances_on
+
+__all__ = ["Observance", "observances_on"]
+
+
+def __getattr__(name: str):
+    if name == "holidays":
+        warnings.warn("almanac.holidays is almanac.observances now", DeprecationWarning, stacklevel=2)
+        return importlib.import_module("almanac.observances")
+    raise AttributeError(name)
`,
    ),
    modified(
      'almanac/calendar.py',
      `
@@ 2

 from datetime import date, timedelta

-from almanac.holidays import holidays_on
+from almanac.observances import observances_on


 def year_of(country: str, year: int) -> dict[date, list[str]]:
@@ 11 def year_of(country: str, year: int) -> dict[date, list[str]]:
     days: dict[date, list[str]] = {}
     day = date(year, 1, 1)
     while day.year == year:
-        found = holidays_on(country, day)
+        found = observances_on(country, day)
         if found:
-            days[day] = [holiday.name for holiday in found]
+            days[day] = [observance.name for observance in found]
         day += timedelta(days=1)
     return days
`,
    ),
    renamed(
      'almanac/holidays.py',
      'almanac/observances.py',
      61,
      `
@@ 1
 from dataclasses import dataclass
 from datetime import date
+from functools import cache
 from pathlib import Path

 import tomllib

-RULES = Path(__file__).parent / "rules"
+_RULES = Path(__file__).parent / "rules"


 @dataclass(frozen=True)
-class Holiday:
+class Observance:
     name: str
     month: int
     day: int
@@ 18 class Holiday:
         return (day.month, day.day) == (self.month, self.day) and day.year >= self.since


-def holidays_on(country: str, day: date) -> list[Holiday]:
-    with open(RULES / f"{country}.toml", "rb") as file:
-        rules = [Holiday(**rule) for rule in tomllib.load(file)["rule"]]
-    return [rule for rule in rules if rule.falls_on(day)]
+def observances_on(country: str, day: date) -> list[Observance]:
+    return [rule for rule in rules_of(country) if rule.falls_on(day)]
+
+
+@cache
+def rules_of(country: str) -> tuple[Observance, ...]:
+    with open(_RULES / f"{country}.toml", "rb") as file:
+        return tuple(Observance(**rule) for rule in tomllib.load(file)["rule"])
`,
    ),
    renamed('tests/data/holidays-2025.json', 'tests/data/observances-2025.json', 100),
    renamed(
      'tests/test_holidays.py',
      'tests/test_observances.py',
      74,
      `
@@ 1
 from datetime import date

+from almanac import observances
 from almanac.calendar import year_of
-from almanac.holidays import holidays_on
+from almanac.observances import observances_on, rules_of


 def test_constitution_day_is_found():
-    assert [found.name for found in holidays_on("jp", date(2025, 5, 3))] == ["憲法記念日"]
+    assert [found.name for found in observances_on("jp", date(2025, 5, 3))] == ["憲法記念日"]


 def test_leap_days_are_listed():
@@ 33 def test_every_country_has_a_new_year():
 def test_a_year_is_in_order():
     days = list(year_of("jp", 2025))
     assert days == sorted(days)
+
+
+def test_rules_are_read_once(monkeypatch):
+    rules_of.cache_clear()
+    loads = []
+    load = observances.tomllib.load
+    monkeypatch.setattr(observances.tomllib, "load", lambda file: loads.append(file) or load(file))
+    for day in range(1, 29):
+        observances_on("jp", date(2025, 2, day))
+    assert len(loads) == 1
`,
    ),
  ],
}
