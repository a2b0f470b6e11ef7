import { agents } from './agents.ts';
import { type DemoClock, later } from './clock.ts';
import { people } from './people.ts';
import type { DemoEntity, JsonObject, JsonValue } from './types.ts';

type Step = { tool: string; arguments: JsonObject; result: JsonValue };
type Facts = {
  agent: string | null;
  askedBy: string | null;
  askedAt: string;
  question: string;
  labels: JsonObject;
  steps: Step[];
  /** Seconds until the answer, with the answer or the reason why there is none. */
  outcome: { seconds: number } & ({ response: string } | { error: string });
  used: number;
};

const monthlyInvocations = 20_000;

export function invocations({ minutesAgo, daysAgo }: DemoClock): DemoEntity[] {
  return [
    invocation('5f1c2a7e-93d4-4b60-8e15-0c7a41d9b2f3', {
      agent: 'incident_scribe',
      // Started by the automation that answers to new incidents, which Tomás saved last.
      askedBy: people.tomas,
      askedAt: minutesAgo(1214),
      question:
        'A new SEV2 incident was opened: INC-1201, "Plans ignore the closed Brenner pass". Write its first summary.',
      labels: { incident: 'INC-1201' },
      steps: [
        {
          tool: 'get_entity',
          arguments: { blueprint: 'incident', identifier: 'INC-1201' },
          result: { severity: 'SEV2', services: ['route-planner', 'geo.tiles'] },
        },
        {
          tool: 'search_entities',
          arguments: {
            blueprint: 'deployment',
            query: { combinator: 'or', rules: [{ operator: 'relatedTo', blueprint: 'service', value: 'geo.tiles' }] },
          },
          result: { total: 1, newest: 'Map Tiles 1.33.0 to prod-eu' },
        },
      ],
      outcome: {
        seconds: 14,
        response:
          '**Trips over the Brenner are planned although the pass is closed.**\n\n- Affected: Route Planner, Map Tiles\n- Map Tiles last shipped 18 days ago and has no owning team, so nobody was paged for the stale map.\n- Next step: publish the closure by hand (runbook “road-closures”), then find an owner for Map Tiles.',
      },
      used: 41,
    }),
    invocation('b80e6d15-2f4a-4c97-a3d1-76e95c08412b', {
      agent: 'service_guide',
      askedBy: people.yuki,
      askedAt: daysAgo(1, '14:12'),
      question: 'Which services have no owner?',
      labels: { source: 'engineering_overview' },
      steps: [
        {
          tool: 'search_entities',
          arguments: {
            blueprint: 'service',
            query: { combinator: 'and', rules: [{ property: '$team', operator: 'isEmpty' }] },
          },
          result: { total: 3, identifiers: ['geo.tiles', 'edi-bridge', 'dock-scheduler'] },
        },
      ],
      outcome: {
        seconds: 6,
        response:
          'Three of 18 services have no owner:\n\n| Service | Lifecycle | Why it matters |\n| --- | --- | --- |\n| Map Tiles (`geo.tiles`) | production | Route Planner depends on it |\n| `edi-bridge` | deprecated | two critical vulnerabilities |\n| Dock Scheduler (`dock-scheduler`) | planned | not built yet |',
      },
      used: 40,
    }),
    invocation('0d94f7b2-61ce-4e38-9b0f-d2a853e617c4', {
      agent: null,
      askedBy: people.clara,
      askedAt: daysAgo(3, '10:47'),
      question: 'Book a meeting room in Hamburg for Thursday.',
      labels: {},
      steps: [],
      outcome: {
        seconds: 2,
        error: 'No active agent fits this question. Ask an agent by name, or ask the assistant without one.',
      },
      used: 37,
    }),
    invocation('e37ab9c0-58d1-4f26-8c44-19f06b7de5a8', {
      agent: 'platform_operator',
      askedBy: people.samuel,
      askedAt: minutesAgo(21),
      question: 'Restart the telemetry ingest workload in prod-eu if that helps with INC-1204.',
      labels: { incident: 'INC-1204' },
      steps: [
        {
          tool: 'get_entity',
          arguments: { blueprint: 'incident', identifier: 'INC-1204' },
          result: { severity: 'SEV2', status: 'open', services: ['shipment-tracking', 'telemetry-ingest'] },
        },
      ],
      outcome: {
        seconds: 9,
        response:
          'INC-1204 affects Shipment Tracking and Telemetry Ingest, so a restart of the telemetry ingest workload may help.\n\nI have not restarted anything: that needs a person. Run “Restart workload” for `telemetry-ingest` in `prod-eu` from the self-service page.',
      },
      used: 42,
    }),
  ];
}

function invocation(identifier: string, facts: Facts): DemoEntity {
  const { agent, askedBy, askedAt, question, labels, outcome, used } = facts;
  const response = 'response' in outcome ? outcome.response : null;
  const error = 'error' in outcome ? outcome.error : null;
  const repliedAt = later(askedAt, outcome.seconds / 60);
  return {
    blueprint: '_ai_invocations',
    identifier,
    title: question.length > 80 ? `${question.slice(0, 79)}…` : question,
    properties: {
      status: response === null ? 'Failed' : 'Completed',
      asked_at: askedAt,
      replied_at: repliedAt,
      prompt: promptText(agent, question),
      error,
      response,
      execution_logs: executionLog(facts, response),
      labels,
      quota: monthlyQuota(askedAt, used),
      provider: 'portolan',
      model: 'built-in',
    },
    relations: { agent, asked_by: askedBy },
  };
}

function monthlyQuota(askedAt: string, used: number): JsonObject {
  const at = new Date(askedAt);
  const nextMonthMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  return {
    monthlyLimit: monthlyInvocations,
    remainingQuota: monthlyInvocations - used,
    month: askedAt.slice(0, 7),
    remainingTimeMs: nextMonthMs - at.getTime(),
  };
}

function promptText(agent: string | null, question: string): string {
  const instructions = agents.find((one) => one.identifier === agent)?.properties['prompt'];
  return `## User Request\n\n${question}${instructions ? `\n\n## Agent Instructions\n\n${instructions}` : ''}`;
}

/** Readable steps first, then one fenced block with the messages. */
function executionLog({ question, steps }: Facts, response: string | null): string {
  const messages: JsonValue[] = [{ role: 'user', messageId: 'm1', content: question }];
  steps.forEach((step, index) => {
    const call = { id: `call_${index}`, name: step.tool, arguments: step.arguments };
    messages.push(
      { role: 'assistant', messageId: `m${messages.length + 1}`, content: [], toolCalls: [call] },
      { role: 'tool', messageId: `m${messages.length + 2}`, toolCallId: call.id, content: JSON.stringify(step.result) },
    );
  });
  if (response !== null) {
    const content = [{ type: 'text', text: response }];
    messages.push({ role: 'assistant', messageId: `m${messages.length + 1}`, content, toolCalls: [] });
  }
  const lines = steps.map((step, index) => `${index + 1}. Called ${step.tool}`);
  const readable = lines.length === 0 ? 'No tool was called.' : lines.join('\n');
  return `${readable}\n\n\`\`\`json\n${JSON.stringify({ messages }, null, 2)}\n\`\`\`\n`;
}
