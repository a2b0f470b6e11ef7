import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { App } from '../packages/server/src/app.ts';
import { buildIdleApp } from './lib/idle-app.ts';
import { readPromql } from './lib/promql.ts';
import { top } from './lib/source-files.ts';

const folder = join(top, 'deploy/observability');
const read = (path: string): string => readFileSync(join(top, path), 'utf8');

const expr = z.string().min(1);
const duration = z.string().regex(/^\d+[smhd]$/);
const rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      interval: duration.optional(),
      rules: z.array(
        z.union([
          z.strictObject({ record: z.string().regex(/^portolan:[a-z_]+:[a-z0-9_]+$/), expr }),
          z.strictObject({
            alert: z.string().regex(/^Portolan[A-Za-z]+$/),
            expr,
            for: duration.optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
          }),
        ]),
      ),
    }),
  ),
});
const dashboard = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr, legendFormat: z.string().default('') })).min(1) }),
  ),
});

const groups = rules.parse(parse(read('deploy/observability/alerts.yaml'))).groups;
const all = groups.flatMap((group) => group.rules);
const alerts = all.flatMap((rule) => ('alert' in rule ? [rule] : []));
const recorded = new Set(all.flatMap((rule) => ('record' in rule ? [rule.record] : [])));
const dashboards = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, ...dashboard.parse(JSON.parse(read(`deploy/observability/${name}`))) }));
// what is written in the guide has to be true too
const slos = [...read('docs/guides/slos.md').matchAll(/```promql\n([\s\S]+?)```/g)].map(([, text = '']) => text.trim());

const expressions = [
  ...all.map((rule) => ['alert' in rule ? rule.alert : rule.record, rule.expr] as const),
  ...dashboards.flatMap(({ name, panels }) =>
    panels.flatMap(({ title, targets }) => targets.map((each) => [`${name}: ${title}`, each.expr] as const)),
  ),
  ...slos.map((text, index) => [`slos.md ${index + 1}`, text] as const),
  // Grafana puts the window in
].map(([title, text]) => [title, text.replaceAll('$__rate_interval', '5m')] as const);

/** Texts beside expressions, with the labels that they show. */
const shown = [
  ...alerts.map(({ alert, expr: text, annotations }) => [alert, text, annotations.summary] as const),
  ...dashboards.flatMap(({ name, panels }) =>
    panels.flatMap(({ title, targets }) =>
      targets.map(
        (each) => [`${name}: ${title}`, each.expr.replaceAll('$__rate_interval', '5m'), each.legendFormat] as const,
      ),
    ),
  ),
].flatMap(([title, text, template]) => {
  const labels = [...template.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label = '']) => label);
  return labels.length > 0 ? [[title, text, labels] as const] : [];
});

/** What Prometheus adds by itself. */
const ofPrometheus = new Set(['instance', 'job', 'le']);

let app: App;
/** The labels of every series by its name, as the application itself declares them. */
let series: ReadonlyMap<string, ReadonlySet<string>>;
/** The help of the metric of every series. */
let helps: ReadonlyMap<string, string>;

beforeAll(() => {
  app = buildIdleApp();
  const entries = app.describeMetrics().flatMap(({ name, type, labels, help }) => {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    return names.map((each) => ({ each, labels: new Set(labels), help }));
  });
  series = new Map(entries.map(({ each, labels }) => [each, labels]));
  helps = new Map(entries.map(({ each, help }) => [each, help]));
});

afterAll(() => app.close());

test('what is declared is what /metrics serves', async () => {
  const { body } = await app.http.inject('/metrics');
  const served = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const declared = app.describeMetrics().map(({ name, type }) => `${name} ${type}`);
  expect(served.sort()).toEqual([...declared].sort());
  expect(served.length).toBeGreaterThan(30);
});

test.each(expressions)('%s asks for series that are served, by labels that they have', (_title, text) => {
  const { names, labels } = readPromql(text);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !series.has(name) && !recorded.has(name))).toEqual([]);
  const known = new Set([...ofPrometheus, ...names.flatMap((name) => [...(series.get(name) ?? [])])]);
  expect(labels.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  // a state that is never reported would make an alert that never comes
  const about = names.map((name) => helps.get(name) ?? '').join(' ');
  const values = labels.flatMap(({ name, equals }) =>
    equals === undefined || name === 'le' || name === 'status' || name === 'consumer' ? [] : [equals],
  );
  expect(values.filter((value) => !about.includes(value))).toEqual([]);
});

test.each(shown)('%s shows labels that its series still have', (_title, text, labels) => {
  const { names, groups: grouped } = readPromql(text);
  const left =
    grouped.length > 0 ? grouped : ['instance', 'job', ...names.flatMap((name) => [...(series.get(name) ?? [])])];
  expect(labels.filter((label) => !left.includes(label))).toEqual([]);
});

test('an edge of a histogram that is asked for is one of its buckets', async () => {
  // the first makes the second one's series of requests
  await app.http.inject('/metrics');
  const { body } = await app.http.inject('/metrics');
  const asked = expressions.flatMap(([, text]) => [...text.matchAll(/(\w+_bucket)\{[^}]*le="([^"]+)"/g)]);
  expect(asked.length).toBeGreaterThan(3);
  for (const [, name, edge] of asked) expect(body).toContain(`\n${name}{le="${edge}"`);
});

describe('alerts', () => {
  const page = read('docs/guides/alerts.md');
  const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

  test('each has a section that says what to do, and no section is about another', () => {
    expect(headings).toEqual(alerts.map(({ alert }) => alert));
    expect(new Set(headings).size).toBe(headings.length);
  });

  test.each(alerts.map((each) => [each.alert, each.annotations] as const))(
    '%s names its section',
    (name, { runbook }) => {
      expect(runbook).toBe(`docs/guides/alerts.md#${name.toLowerCase()}`);
    },
  );
});

describe('dashboards', () => {
  test('each has an id of its own', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  });

  test('every metric of the product is in a panel', () => {
    const inPanels = new Set(
      dashboards.flatMap(({ panels }) =>
        panels.flatMap(({ targets }) =>
          targets.flatMap((each) => readPromql(each.expr.replaceAll('$__rate_interval', '5m')).names),
        ),
      ),
    );
    const own = app.describeMetrics().filter(({ name }) => name.startsWith('portolan_'));
    const isShown = (name: string): boolean => ['', '_bucket', '_count'].some((end) => inPanels.has(name + end));
    expect(own.map(({ name }) => name).filter((name) => !isShown(name))).toEqual([]);
    expect([...recorded].filter((name) => !inPanels.has(name))).toEqual([]);
  });
});
