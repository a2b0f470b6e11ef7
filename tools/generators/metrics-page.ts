import { buildIdleApp } from '../lib/idle-app.ts';
import type { GeneratedFile } from './generated-file.ts';

/** What `/metrics` serves, as the application declares it. */
export function metricsPage(): readonly GeneratedFile[] {
  const rows = [...buildIdleApp().describeMetrics()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const by = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${by} | ${help.replaceAll('|', '\\|')} |`;
    });
  const text = `# Metrics

What \`GET /metrics\` serves, in Prometheus' text format. No label grows with organizations, people or entities.

What is counted in the database (\`portolan_jobs\`, \`portolan_job_due_age_seconds\`, \`portolan_event_…\`, \`portolan_changelog_…\`,
\`portolan_marks\`, \`portolan_source…\`, \`portolan_webhook_…\`) is the same whichever process is asked: take the maximum of
several, not their sum. It is read at most once in five seconds, counted up to 10,000, and absent while the database does not
answer. Everything else is about the process that is asked; one with \`PORTOLAN_ROLE=worker\` answers on
\`PORTOLAN_METRICS_PORT\`.

[Service levels](../guides/slos.md) and [alerts](../guides/alerts.md) say what to watch.

| name | type | labels | what it says |
| --- | --- | --- | --- |
${rows.join('\n')}

Generated from what the application declares.
`;
  return [{ path: 'docs/reference/metrics.md', text }];
}
