import type { GeneratedFile } from './generated-file.ts';

interface Panel {
  readonly title: string;
  /** Of Grafana: `s`, `short`, `percentunit`, `bytes`, `reqps`. */
  readonly unit: string;
  /** Expression → legend. */
  readonly series: Readonly<Record<string, string>>;
  /** What the level is at which somebody should look. */
  readonly line?: number;
}

const http = 'portolan_http_request_duration_seconds';
const quantile = (share: number, metric: string, by = 'le') =>
  `histogram_quantile(${share}, sum by (${by}) (rate(${metric}_bucket[$__rate_interval])))`;

const overview: readonly Panel[] = [
  {
    title: 'Requests by class',
    unit: 'reqps',
    series: { [`sum by (class) (rate(${http}_count[$__rate_interval]))`]: '{{class}}' },
  },
  {
    title: 'Failed, of interactive requests',
    unit: 'percentunit',
    series: {
      'portolan:requests_failed:ratio_rate5m': '5 minutes',
      'portolan:requests_failed:ratio_rate30m': '30 minutes',
      'portolan:requests_failed:ratio_rate1h': '1 hour',
      'portolan:requests_failed:ratio_rate6h': '6 hours',
    },
    line: 0.001,
  },
  {
    title: 'Slower than half a second, of interactive requests',
    unit: 'percentunit',
    series: { 'portolan:requests_slow:ratio_rate1h': '1 hour' },
    line: 0.01,
  },
  {
    title: 'Time of an answer, 99 of 100, by class',
    unit: 's',
    series: { [quantile(0.99, http, 'le, class')]: '{{class}}' },
  },
  {
    title: 'Slowest operations, 99 of 100',
    unit: 's',
    series: { [`topk(10, ${quantile(0.99, http, 'le, operation')})`]: '{{operation}}' },
  },
  {
    title: 'Answers by status',
    unit: 'reqps',
    series: { [`sum by (status) (rate(${http}_count[$__rate_interval]))`]: '{{status}}' },
  },
  {
    title: 'Under way and waiting, by class',
    unit: 'short',
    series: {
      'sum by (class) (portolan_admission_under_way)': '{{class}} under way',
      'sum by (class) (portolan_admission_waiting)': '{{class}} waiting',
    },
  },
  {
    title: 'In flight, streams and readers of changes',
    unit: 'short',
    series: {
      'sum(portolan_http_requests_in_flight)': 'requests in flight',
      'sum(portolan_event_streams_open)': 'event streams',
      'sum(portolan_live_readers)': 'readers of changes',
      'sum(rate(portolan_live_changes_total[$__rate_interval]))': 'changes a second',
    },
  },
  {
    title: 'Database answers, and takes no writes',
    unit: 'short',
    series: {
      portolan_database_up: '{{instance}} answers',
      portolan_database_read_only: '{{instance}} takes no writes',
      'min by (standby) (portolan_standby_usable)': '{{standby}} can be read',
    },
    line: 1,
  },
  {
    title: 'Connections to the database',
    unit: 'short',
    series: {
      'sum by (pool, state) (portolan_database_connections)': '{{pool}} {{state}}',
      'sum by (pool) (portolan_database_waiting)': '{{pool}} callers waiting',
    },
  },
  {
    title: 'Time until a caller had a connection, 99 of 100',
    unit: 's',
    series: { [quantile(0.99, 'portolan_database_wait_seconds', 'le, pool')]: '{{pool}}' },
    line: 0.5,
  },
  {
    title: 'Statements that failed, by reason',
    unit: 'reqps',
    series: { 'sum by (reason) (rate(portolan_database_errors_total[$__rate_interval]))': '{{reason}}' },
  },
  {
    title: 'Reads on standbys, and on the primary by reason',
    unit: 'reqps',
    series: {
      'sum by (place, reason) (rate(portolan_standby_reads_total[$__rate_interval]))': '{{place}} {{reason}}',
    },
  },
  {
    title: 'How far standbys are behind',
    unit: 's',
    series: { 'max by (standby) (portolan_standby_lag_seconds)': '{{standby}}' },
    line: 30,
  },
  {
    title: 'How far standbys are behind, in bytes',
    unit: 'bytes',
    series: { 'max by (standby) (portolan_standby_lag_bytes)': '{{standby}}' },
  },
  {
    title: 'How late the event loop is, 99 of 100',
    unit: 's',
    series: { nodejs_eventloop_lag_p99_seconds: '{{instance}}' },
    line: 0.1,
  },
  {
    title: 'Processor',
    unit: 'percentunit',
    series: { 'rate(process_cpu_seconds_total[$__rate_interval])': '{{instance}}' },
  },
  { title: 'Memory', unit: 'bytes', series: { process_resident_memory_bytes: '{{instance}}' } },
];

const work: readonly Panel[] = [
  {
    title: 'Jobs due, by kind',
    unit: 'short',
    series: { 'max by (name) (portolan_jobs{state="due"})': '{{name}}' },
  },
  {
    title: 'Oldest due job, by kind',
    unit: 's',
    series: { 'max by (name) (portolan_job_due_age_seconds)': '{{name}}' },
    line: 600,
  },
  {
    title: 'Jobs running and dead',
    unit: 'short',
    series: {
      'sum(max by (name) (portolan_jobs{state="running"}))': 'running',
      'max by (name) (portolan_jobs{state="dead"})': '{{name}} dead',
    },
  },
  {
    title: 'Runs of jobs by outcome',
    unit: 'reqps',
    series: { 'sum by (outcome) (rate(portolan_job_runs_total[$__rate_interval]))': '{{outcome}}' },
  },
  {
    title: 'Time of a run, and time until it began, 95 of 100',
    unit: 's',
    series: {
      [quantile(0.95, 'portolan_job_duration_seconds', 'le, outcome')]: '{{outcome}}',
      [quantile(0.95, 'portolan_job_start_lag_seconds')]: 'until it began',
    },
  },
  {
    title: 'Jobs taken later than five seconds after they were due',
    unit: 'percentunit',
    series: { 'portolan:jobs_late:ratio_rate1h': '1 hour' },
    line: 0.01,
  },
  {
    title: 'Events to be reacted to',
    unit: 'short',
    series: { 'max by (consumer) (portolan_event_deliveries)': '{{consumer}}' },
  },
  {
    title: 'Oldest event to be reacted to',
    unit: 's',
    series: { 'max by (consumer) (portolan_event_delivery_age_seconds)': '{{consumer}}' },
    line: 300,
  },
  {
    title: 'Receivers of the changelog',
    unit: 'short',
    series: { 'max by (state) (portolan_changelog_receivers)': '{{state}}' },
  },
  {
    title: 'Longest failing receiver of the changelog',
    unit: 's',
    series: { 'max(portolan_changelog_failing_seconds)': 'longest' },
    line: 3600,
  },
  { title: 'Values to be computed', unit: 'short', series: { 'max by (kind) (portolan_marks)': '{{kind}}' } },
  {
    title: 'Events of webhooks to be mapped',
    unit: 'short',
    series: { 'max(portolan_webhook_deliveries)': 'waiting' },
  },
  {
    title: 'Oldest event of a webhook',
    unit: 's',
    series: { 'max(portolan_webhook_delivery_age_seconds)': 'oldest' },
    line: 300,
  },
  {
    title: 'Sources',
    unit: 'short',
    series: { 'max by (type, state) (portolan_sources)': '{{type}} {{state}}' },
  },
  {
    title: 'Since a source was last read through, by type',
    unit: 's',
    series: { 'max by (type) (portolan_source_success_age_seconds)': '{{type}}' },
    line: 2 * 86_400,
  },
  {
    title: 'Age of the newest backup',
    unit: 's',
    series: { portolan_backup_age_seconds: '{{instance}}' },
    line: 2 * 86_400,
  },
];

const assistant: readonly Panel[] = [
  {
    title: 'Invocations by outcome',
    unit: 'reqps',
    series: { 'sum by (outcome) (rate(portolan_ai_invocations_total[$__rate_interval]))': '{{outcome}}' },
  },
  {
    title: 'Time until the first text, and of a whole answer, 95 of 100',
    unit: 's',
    series: {
      [quantile(0.95, 'portolan_ai_first_text_seconds')]: 'first text',
      [quantile(0.95, 'portolan_ai_invocation_duration_seconds', 'le, outcome')]: '{{outcome}}',
    },
  },
  {
    title: 'First text later than five seconds',
    unit: 'percentunit',
    series: { 'portolan:first_text_late:ratio_rate1h': '1 hour' },
    line: 0.05,
  },
  {
    title: 'Calls of models by outcome',
    unit: 'reqps',
    series: {
      'sum by (provider, outcome) (rate(portolan_ai_model_calls_total[$__rate_interval]))': '{{provider}} {{outcome}}',
    },
  },
  {
    title: 'Tokens a second',
    unit: 'short',
    series: {
      'sum by (provider, direction) (rate(portolan_ai_tokens_total[$__rate_interval]))': '{{provider}} {{direction}}',
    },
  },
  {
    title: 'Calls of tools by outcome',
    unit: 'reqps',
    series: { 'sum by (outcome) (rate(portolan_ai_tool_calls_total[$__rate_interval]))': '{{outcome}}' },
  },
  {
    title: 'Time to the first steps of an organization, half of them',
    unit: 's',
    series: {
      'histogram_quantile(0.5, sum by (le, milestone) (portolan_organization_milestone_seconds_bucket))':
        '{{milestone}}',
    },
  },
];

/** Dashboards of Grafana, to be imported as they are; the data source is asked for. */
export function dashboards(): readonly GeneratedFile[] {
  return [
    dashboard('overview', 'Portolan', overview),
    dashboard('work', 'Portolan: queues, jobs and sources', work),
    dashboard('assistant', 'Portolan: assistant and first steps', assistant),
  ];
}

function dashboard(name: string, title: string, panels: readonly Panel[]): GeneratedFile {
  const datasource = { type: 'prometheus', uid: '$datasource' };
  const content = {
    uid: `portolan-${name}`,
    title,
    tags: ['portolan'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(({ title: heading, unit, series, line }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: heading,
      datasource,
      gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
      fieldConfig: {
        defaults: {
          unit,
          min: 0,
          ...(line === undefined
            ? {}
            : {
                custom: { thresholdsStyle: { mode: 'line' } },
                thresholds: {
                  mode: 'absolute',
                  steps: [
                    { color: 'green', value: null },
                    { color: 'red', value: line },
                  ],
                },
              }),
        },
        overrides: [],
      },
      options: {
        legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
        tooltip: { mode: 'multi', sort: 'desc' },
      },
      targets: Object.entries(series).map(([expr, legendFormat], at) => ({
        refId: String.fromCharCode(65 + at),
        datasource,
        expr,
        legendFormat,
      })),
    })),
  };
  return { path: `deploy/observability/${name}.json`, text: `${JSON.stringify(content, null, 2)}\n` };
}
