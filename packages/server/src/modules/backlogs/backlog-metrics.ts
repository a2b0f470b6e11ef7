import { Gauge, type Metric } from 'prom-client';
import type { Backlog } from './look-at-backlog.ts';

type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>];

/** What waits, as gauges. They have no values while the database cannot be asked; no label grows with organizations. */
export function createBacklogMetrics(look: () => Promise<Backlog | undefined>): readonly Metric[] {
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: (backlog: Backlog) => readonly Sample[],
  ): Metric =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [],
      async collect() {
        const backlog = await look();
        // forgets what is no longer there; without labels that leaves a 0, which would be a claim
        this.reset();
        if (labelNames.length === 0) this.remove();
        if (backlog === undefined) return;
        for (const [value, labels = {}] of read(backlog)) this.set(labels, value);
      },
    }) as unknown as Metric;
  return [
    gauge(
      'portolan_jobs',
      'Jobs by kind and state: due, running, or dead after the last attempt',
      ['name', 'state'],
      ({ jobs }) => jobs.map(({ name, state, count }) => [count, { name, state }]),
    ),
    gauge(
      'portolan_job_due_age_seconds',
      'How long the oldest due job of a kind has waited',
      ['name'],
      ({ jobs, age }) =>
        jobs.flatMap(({ name, state, oldest }) => (state === 'due' ? [[age(oldest), { name }] as const] : [])),
    ),
    gauge(
      'portolan_event_deliveries',
      'Events that are still to be reacted to, by consumer',
      ['consumer'],
      ({ deliveries }) => deliveries.map(({ consumer, count }) => [count, { consumer }]),
    ),
    gauge(
      'portolan_event_delivery_age_seconds',
      'How long ago the oldest event happened that is still to be reacted to, by consumer',
      ['consumer'],
      ({ deliveries, age }) => deliveries.map(({ consumer, oldest }) => [age(oldest), { consumer }]),
    ),
    gauge(
      'portolan_changelog_receivers',
      'Receivers of the changelog by state: working or failing',
      ['state'],
      ({ receivers }) => [
        [receivers.all - receivers.failing, { state: 'working' }],
        [receivers.failing, { state: 'failing' }],
      ],
    ),
    gauge(
      'portolan_changelog_failing_seconds',
      'For how long the longest failing receiver of the changelog has failed; 0 if none does',
      [],
      ({ receivers, age }) => [[age(receivers.since)]],
    ),
    gauge('portolan_marks', 'Values to be computed again, by kind: derived or rule_results', ['kind'], ({ marks }) => [
      [marks.derived, { kind: 'derived' }],
      [marks.ruleResults, { kind: 'rule_results' }],
    ]),
    gauge(
      'portolan_sources',
      'Sources by type and state: working, failing or paused',
      ['type', 'state'],
      ({ sources }) =>
        sources.flatMap(({ type, working, failing, paused }) => [
          [working, { type, state: 'working' }] as const,
          [failing, { type, state: 'failing' }] as const,
          [paused, { type, state: 'paused' }] as const,
        ]),
    ),
    gauge(
      'portolan_source_success_age_seconds',
      'How long ago the scheduled source that waits longest was last read through, by type',
      ['type'],
      ({ sources, age }) =>
        sources.flatMap(({ type, oldest }) => (oldest === null ? [] : [[age(oldest), { type }] as const])),
    ),
    gauge('portolan_webhook_deliveries', 'Events of webhooks that are still to be mapped', [], ({ webhooks }) => [
      [webhooks.count],
    ]),
    gauge(
      'portolan_webhook_delivery_age_seconds',
      'How long ago the oldest event of a webhook came that is still to be mapped; 0 if none waits',
      [],
      ({ webhooks, age }) => [[age(webhooks.oldest)]],
    ),
  ];
}
