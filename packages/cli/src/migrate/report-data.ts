import {
  type AutomaticChange,
  addSamples,
  findManualItems,
  type ManualArea,
  type ManualItem,
  type PlanProblem,
  planAutomatic,
  type TeamAssignment,
  type Verdict,
} from '@portolan/team-references';
import type { ReadOrganization } from './read-organization.ts';

/** The content of `output/report.json`. */
export interface Report {
  readonly version: 1;
  readonly organization: { readonly id: string; readonly name: string; readonly model: string };
  readonly generatedAt: string;
  /** The scope of the report. */
  readonly note: string;
  readonly statistics: {
    readonly automatic: number;
    readonly manual: number;
    readonly byVerdict: Readonly<Record<Verdict, number>>;
    readonly byArea: Readonly<Record<string, number>>;
    readonly withSuggestion: number;
    readonly resources: number;
  };
  readonly manual: readonly ManualItem[];
  readonly automatic: readonly AutomaticChange[];
  readonly problems: readonly PlanProblem[];
  readonly teams: readonly TeamAssignment[];
}

const reportNote =
  'This report lists every reference to teams. It does not measure completion: run again after the migration, it still lists what refers to teams.';

export function buildReport({ id, name, documents, samples }: ReadOrganization, now: Date): Report {
  const { changes, problems, teams } = planAutomatic(documents);
  const manual = addSamples(findManualItems(documents), documents, samples).sort(inOrder);
  const count = (verdict: Verdict): number => manual.filter((item) => item.verdict === verdict).length;
  const byArea: Record<string, number> = {};
  for (const { area } of manual) byArea[area] = (byArea[area] ?? 0) + 1;
  return {
    version: 1,
    organization: { id, name, model: documents.model },
    generatedAt: now.toISOString(),
    note: reportNote,
    statistics: {
      automatic: changes.length,
      manual: manual.length,
      byVerdict: { breaks: count('breaks'), review: count('review'), mentions: count('mentions') },
      byArea,
      withSuggestion: manual.filter(({ suggestion }) => suggestion !== undefined).length,
      resources: new Set(manual.map(({ resource }) => `${resource.kind} ${resource.identifier}`)).size,
    },
    manual,
    automatic: changes,
    problems,
    teams,
  };
}

export const areaTitles: Readonly<Record<ManualArea, string>> = {
  calculation: 'Calculation properties',
  'action-input': 'Inputs of actions',
  'action-mapping': 'Mappings of actions and automations',
  'automation-trigger': 'Conditions of automations',
  'webhook-call': 'Addresses, headers and bodies of calls',
  'api-call': "Calls of the platform's own API",
  'dynamic-permissions': 'Dynamic permissions of actions',
  'read-policy': 'Policies of blueprints',
  'integration-mapping': 'Mappings of integrations',
  'file-mapping': 'Mappings kept in files',
  'webhook-mapping': 'Mappings of webhooks',
  widget: 'Widgets of pages',
  'page-filter': 'Filters of pages',
  scorecard: 'Scorecards',
  aggregation: 'Aggregation properties',
  mirror: 'Mirror properties',
  'team-format': 'Properties and inputs that hold names of teams',
  agent: 'AI agents',
  consumer: 'Receivers of changes',
  external: 'Definitions outside of the platform',
};

export const verdictTitles: Readonly<Record<Verdict, string>> = {
  breaks: 'Breaks',
  review: 'Review',
  mentions: 'Mentions',
};

const areas = Object.keys(areaTitles);
const verdicts = Object.keys(verdictTitles);

function inOrder(left: ManualItem, right: ManualItem): number {
  return (
    areas.indexOf(left.area) - areas.indexOf(right.area) ||
    verdicts.indexOf(left.verdict) - verdicts.indexOf(right.verdict) ||
    compare(left.resource.identifier, right.resource.identifier) ||
    compare(left.pointer, right.pointer)
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
