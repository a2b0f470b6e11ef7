import type { DemoEntity, JsonObject } from './types.ts';

const readTools = '^(list|get|search|track|describe)_.*';

type AgentDraft = {
  title: string;
  icon: string;
  team: string;
  description: string;
  status?: 'active' | 'inactive';
  mode: 'Automatic' | 'Approval Required';
  tools: string[];
  prompt: string;
  starters: string[];
  labels: JsonObject;
};

const platformOperator: AgentDraft = {
  title: 'Platform Operator',
  icon: 'Wrench',
  team: 'site-reliability',
  description: 'Restarts workloads during an incident, without asking a second time.',
  mode: 'Automatic',
  tools: [readTools, '^run_restart_.*'],
  prompt:
    'You help the on-call engineer of Halyard Freight.\n\nBefore you restart anything, read the workload, the service it belongs to and the service’s open incidents, and say in one sentence why a restart can help. Restart one workload at a time. If the environment is frozen, or no incident is open for the service, do not restart: say so and name the person on call.\n\nAfterwards follow the run and report how it ended.',
  starters: [
    'Restart the shipment tracking workload in prod-us',
    'Which workloads belong to services with an open incident?',
    'What did you restart today?',
  ],
  labels: { area: 'operations' },
};

export const agents: DemoEntity[] = [
  agent('incident_scribe', {
    title: 'Incident Scribe',
    icon: 'NotebookPen',
    team: 'site-reliability',
    description: 'Reads a new incident and everything around it and writes the first summary.',
    mode: 'Automatic',
    tools: [readTools],
    prompt:
      'You write the first summary of an incident for the people who join late.\n\nRead the incident, the affected services, their deployments of the last two days, their dependencies and their open vulnerabilities. Write at most eight lines: what customers notice, which services are affected and who owns them, what changed shortly before, and the next step with a link to the runbook if there is one.\n\nState only what you have read. If something is unknown, write that it is unknown. Never guess a cause.',
    starters: ['Summarize the newest SEV2', 'What changed before INC-1201?'],
    labels: { area: 'incidents' },
  }),
  agent('service_guide', {
    title: 'Service Guide',
    icon: 'Compass',
    team: 'developer-platform',
    description:
      'Answers questions about services and owners, and prepares new sandboxes and services for you to approve.',
    mode: 'Approval Required',
    tools: [readTools, '^run_create_sandbox$', '^run_scaffold_service$'],
    prompt:
      'You answer questions about the software of Halyard Freight.\n\nWords: a *group* is a domain without a parent; a *core service* belongs to a tier 1 domain; *ours* means owned by the teams of the person who asks.\n\nAnswer with a short list or table, most important first, and name each entity by its title with the identifier behind it. Say how many there are in total. When somebody wants a sandbox or a new service, collect what is missing, then prepare the action; a person approves it.',
    starters: [
      'Which services have no owner?',
      'What depends on the rate engine?',
      'Which of our services have critical vulnerabilities?',
      'Give me a sandbox of the route planner until tomorrow',
    ],
    labels: { area: 'catalog' },
  }),
  agent('platform_operator', platformOperator),
  agent('platform_operator_trial', {
    ...platformOperator,
    title: 'Platform Operator (trial)',
    description: 'The copy used while the team tried it out on staging. Switched off.',
    status: 'inactive',
    labels: { area: 'operations', trial: true },
  }),
];

function agent(identifier: string, draft: AgentDraft): DemoEntity {
  const { title, icon, team, description, status = 'active', mode, tools, prompt, starters, labels } = draft;
  return {
    blueprint: '_ai_agent',
    identifier,
    title,
    icon,
    team: [team],
    properties: { description, status, tools, prompt, execution_mode: mode, conversation_starters: starters, labels },
    relations: {},
  };
}
