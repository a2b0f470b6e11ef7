import { people } from './people.ts';
import { sources } from './sources.ts';
import type { DemoEntity, JsonObject } from './types.ts';

/** Two groups first, kept as files in the handbook repository, then the five areas that belong to them. */
export const domains: DemoEntity[] = [
  domain(
    'freight-operations',
    'Freight Operations',
    null,
    'engineering',
    {
      tier: 1,
      charter:
        '## What we are here for\n\nMoving other people’s goods: plan the trip, clear the border, know where it is.\n\nChanges to this page go through a pull request in `halyard-freight/handbook`.',
    },
    sources.gitOps,
  ),
  domain(
    'company-services',
    'Company Services',
    null,
    'engineering',
    {
      tier: 3,
      charter:
        '## What we are here for\n\nWhat every freight team needs and none should build alone: money, sign-in, messaging.\n\nChanges to this page go through a pull request in `halyard-freight/handbook`.',
    },
    sources.gitOps,
  ),
  domain('routing', 'Routing', 'freight-operations', 'routing-planning', {
    tier: 1,
    contacts: contacts(people.priya, '#routing'),
    charter:
      '## What we own\n\nTrip plans for road and rail, arrival predictions and the map they stand on.\n\n## What we promise\n\nA plan for any shipment in under two seconds, re-planned within a minute when the road changes.',
  }),
  domain('customs', 'Customs', 'freight-operations', 'customs-compliance', {
    tier: 2,
    contacts: contacts(people.aisha, '#customs'),
    charter:
      '## What we own\n\nImport and export declarations, tariff lookups and sanctions screening.\n\n## What we promise\n\nEvery declaration is filed before the truck reaches the border, and every decision can be explained to an auditor.',
  }),
  domain('tracking', 'Tracking', 'freight-operations', 'tracking-visibility', {
    tier: 1,
    contacts: contacts(people.meiLin, '#tracking', { phone: '+49 40 555 0142', hours: '24/7' }),
    charter:
      '## What we own\n\nPositions from 11,000 trailers and containers, milestones, and everything customers see of them.\n\n## What we promise\n\nA position is never older than five minutes while the device has a signal.',
  }),
  domain('billing', 'Billing', 'company-services', 'billing-rates', {
    tier: 2,
    contacts: contacts(people.clara, '#billing', { phone: '+49 40 555 0177', hours: 'Mon–Fri 08:00–18:00' }),
    charter:
      '## What we own\n\nRates, surcharges and invoices.\n\n## What we promise\n\nAn invoice matches its quote to the cent, or says why not.',
  }),
  domain('platform', 'Platform', 'company-services', 'developer-platform', {
    tier: 1,
    contacts: contacts(people.tomas, '#platform'),
    charter:
      '## What we own\n\nSign-in, messaging, pipelines and this portal.\n\n## What we promise\n\nTeams ship on their own, on any weekday, without asking us.',
  }),
];

function domain(
  identifier: string,
  title: string,
  parent: string | null,
  owner: string,
  properties: JsonObject,
  datasource?: string,
): DemoEntity {
  return {
    blueprint: 'domain',
    identifier,
    title,
    team: [owner],
    properties,
    relations: { parent },
    ...(datasource ? { datasource } : {}),
  };
}

function contacts(lead: string, channel: string, escalation?: { phone: string; hours: string }): JsonObject {
  return { lead, channel, ...(escalation ? { escalation } : {}) };
}
