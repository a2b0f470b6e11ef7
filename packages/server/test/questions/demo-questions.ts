import { readinessLevels } from '../demo/golden-answers.ts';
import { demoOrganization } from '../demo/organization.ts';
import {
  day,
  type Facts,
  first,
  isEmpty,
  largest,
  lastDays,
  pointsAt,
  reach,
  readFacts,
  targets,
  time,
  within,
} from './facts.ts';
import { ask, type Fact, groups, number, type Question, type QuestionClass, refuse, says, set } from './question.ts';

export const demoNow = new Date('2026-03-02T09:00:00Z');

export function demoFacts(): Facts {
  const { entities, users, teams } = demoOrganization(demoNow);
  const all = [...entities, ...users, ...teams].map(
    (one): Fact => ({
      ...one,
      title: one.title ?? one.identifier,
      team: one.team ?? [],
      relations: one.relations ?? {},
    }),
  );
  return readFacts(all, demoNow);
}

/** Eighty questions about the demo, written as people ask. */
export function demoQuestions(facts: Facts): Question[] {
  const { of, one } = facts;
  const services = of('service');
  const incidents = of('incident');
  const deployments = of('deployment');
  const resources = of('cloudResource');
  const pulls = of('pullRequest');
  const service = (name: string) => one('service', name);
  const where = (some: readonly Fact[], property: string, ...values: unknown[]) =>
    some.filter((fact) => values.includes(fact.properties[property]));
  const to = (some: readonly Fact[], relation: string, target: Fact) =>
    some.filter((fact) => pointsAt(fact, relation, target));
  const ownedBy = (team: string) => services.filter((fact) => fact.team.includes(one('_team', team).identifier));
  const level = (...levels: string[]) =>
    services.filter(({ identifier }) => levels.includes((readinessLevels as Record<string, string>)[identifier] ?? ''));
  const dependencies = (name: string) =>
    set(services.filter((each) => targets(service(name), 'dependsOn').includes(each.identifier)));
  const members = (team: string) =>
    set(of('_user').filter((user) => user.team.includes(one('_team', team).identifier)));
  const teamOf = (name: string) => says(...service(name).team.map((key) => one('_team', key).title));
  const count = (some: readonly Fact[], relation: string) => (fact: Fact) => to(some, relation, fact).length;

  const asked: Record<Exclude<QuestionClass, 'trap'>, [string, Question['gold']][]> = {
    list: [
      ['Which services are written in Go?', set(where(services, 'language', 'Go'))],
      [
        'List production services written in Java',
        set(where(where(services, 'language', 'Java'), 'lifecycle', 'production')),
      ],
      ['services without an owner', set(services.filter(({ team }) => team.length === 0))],
      ['Which services are reachable from the internet?', set(where(services, 'isPublic', true))],
      ['Show all SEV1 and SEV2 incidents', set(where(incidents, 'severity', 'SEV1', 'SEV2'))],
      [
        'cloud resources with a monthly cost over 1000',
        set(resources.filter((each) => Number(each.properties['monthlyCost']) > 1000)),
      ],
      ['Which services have no runbook?', set(services.filter((each) => isEmpty(each.properties['runbooks'])))],
      ['beta or planned services', set(where(services, 'lifecycle', 'beta', 'planned'))],
      [
        'Which services are not in production?',
        set(services.filter((each) => each.properties['lifecycle'] !== 'production')),
      ],
      ['What are our tier 1 domains?', set(where(of('domain'), 'tier', 1))],
      ['Show me the open pull requests', set(where(pulls, 'state', 'open'))],
    ],
    'top and group': [
      ['Which service has the most incidents?', set(largest(services, count(incidents, 'services')))],
      [
        'top 3 cloud resources by monthly cost',
        set(first(resources, 3, (each) => Number(each.properties['monthlyCost']))),
      ],
      [
        'Which team owns the most services?',
        set(largest(of('_team'), (team) => services.filter((each) => each.team.includes(team.identifier)).length)),
      ],
      ['How many services are there per language?', groups(services, (each) => each.properties['language'])],
      ['How are the services spread over lifecycle?', groups(services, (each) => each.properties['lifecycle'])],
      ['deployments by status', groups(deployments, (each) => each.properties['status'])],
      [
        'Which cloud resource has the highest monthly cost?',
        set(largest(resources, (each) => Number(each.properties['monthlyCost']))),
      ],
      [
        'What is the total monthly cost of the cloud resources?',
        number(resources.reduce((sum, each) => sum + Number(each.properties['monthlyCost']), 0)),
      ],
      ['Which service has the fewest deployments?', set(largest(services, count(deployments, 'service'), -1))],
    ],
    relation: [
      ['What does Customer Portal depend on?', dependencies('Customer Portal')],
      ['Which services depend on Rate Engine?', set(to(services, 'dependsOn', service('Rate Engine')))],
      [
        'Which services depend on Identity directly or indirectly?',
        set(reach(services, service('Identity'), 'dependsOn', 'back')),
      ],
      [
        'Show everything that Route Planner depends on',
        set(reach(services, service('Route Planner'), 'dependsOn', 'forth')),
      ],
      ['Which services does Route Planner use?', dependencies('Route Planner')],
      ['Which incidents affect Route Planner?', set(to(incidents, 'services', service('Route Planner')))],
      ['services in the customs domain', set(to(services, 'domain', one('domain', 'Customs')))],
      ['pull requests of the rate engine', set(to(pulls, 'service', service('Rate Engine')))],
      ['Which packages does Identity use?', set(to(of('package'), 'usedBy', service('Identity')))],
    ],
    count: [
      ['How many services are there?', number(services.length)],
      ['How many incidents are open?', number(where(incidents, 'status', 'open').length)],
      ['number of failed deployments', number(where(deployments, 'status', 'failed').length)],
      [
        'How many TypeScript services are in production?',
        number(where(where(services, 'language', 'TypeScript'), 'lifecycle', 'production').length),
      ],
      ['How many services does Customs & Compliance own?', number(ownedBy('Customs & Compliance').length)],
      [
        'How many deployments did Shipment Tracking have?',
        number(to(deployments, 'service', service('Shipment Tracking')).length),
      ],
    ],
    owner: [
      ['Who owns Route Planner?', teamOf('Route Planner')],
      ['Which team owns Invoicing?', teamOf('Invoicing')],
      ['who is responsible for the rate engine?', teamOf('Rate Engine')],
      ['Who owns Map Tiles?', says()],
      ['owner of eta+forecast', teamOf('ETA Forecast')],
      ['who owns the Event Bus service', teamOf('Event Bus')],
      ['Which services does Site Reliability own?', set(ownedBy('Site Reliability'))],
    ],
    'time window': [
      ['incidents opened this month', set(within(incidents, 'openedAt', '2026-03-01', '2026-04-01'))],
      ['Which deployments were deployed today?', set(within(deployments, 'deployedAt', '2026-03-02', '2026-03-03'))],
      ['deployments of the last 7 days', set(lastDays(deployments, 'deployedAt', 7, demoNow))],
      ['incidents opened last month', set(within(incidents, 'openedAt', '2026-02-01', '2026-03-01'))],
      ['pull requests opened since 2026-02-20', set(within(pulls, 'createdOn', '2026-02-20', '2100-01-01'))],
      [
        'How many deployments were there last week?',
        number(within(deployments, 'deployedAt', '2026-02-23', '2026-03-02').length),
      ],
      [
        'vulnerabilities published before 2023',
        set(within(of('vulnerability'), 'publishedAt', '1900-01-01', '2023-01-01')),
      ],
    ],
    'latest and when': [
      [
        'When was the last deployment of Shipment Tracking?',
        says(
          largest(to(deployments, 'service', service('Shipment Tracking')), (each) => time(each, 'deployedAt')).map(
            (each) => day(each, 'deployedAt'),
          )[0] ?? '',
        ),
      ],
      ['What is the latest incident?', set(largest(incidents, (each) => time(each, 'openedAt')))],
      [
        'What was the most recent deployment of Identity?',
        set(largest(to(deployments, 'service', service('Identity')), (each) => time(each, 'deployedAt'))),
      ],
      ['When was INC-1197 opened?', says(day(one('incident', 'INC-1197'), 'openedAt'))],
      ['oldest open incident', set(largest(where(incidents, 'status', 'open'), (each) => time(each, 'openedAt'), -1))],
    ],
    people: [
      ['Who is on call for Route Planner?', says(String(service('Route Planner').properties['onCall']))],
      ['Who is in the Customs & Compliance team?', members('Customs & Compliance')],
      ['members of Tracking & Visibility', members('Tracking & Visibility')],
      ['Who is the commander of INC-1204?', says('Samuel Ortiz')],
      [
        'Which teams is Henrik Solberg in?',
        says(...one('_user', 'Henrik Solberg').team.map((key) => one('_team', key).title)),
      ],
    ],
    describe: [
      ['What language is Telemetry Ingest written in?', says('Rust')],
      ['What is the lifecycle of edi-bridge?', says('deprecated')],
      ['Compare the language of Invoicing and Rate Engine', says('Java', 'Go')],
    ],
    scorecard: [
      ['Which services are Gold on Production Readiness?', set(level('Gold'))],
      ['Services below Silver in Production Readiness', set(level('Bronze', 'Basic'))],
      ['What level is Invoicing on Production Readiness?', says(readinessLevels.invoicing)],
      [
        'Which services fail the rule "Has a runbook"?',
        set(where(services, 'lifecycle', 'production').filter((each) => isEmpty(each.properties['runbooks']))),
      ],
    ],
    'must ask': [
      ['newest service', ask],
      ['Who owns the portal?', ask],
      ['What does the optimizer depend on?', ask],
      ['Who owns Rate Enginee?', ask],
    ],
    'must refuse': [
      ['Who owns the payments service?', refuse],
      ['What depends on Kafka Connect?', refuse],
      ['Who is on call for Payroll?', refuse],
      ['Which services are flaky?', refuse],
      ['critical incidents', refuse],
      ['Which service is the most expensive?', refuse],
      ['What is the weather in Hamburg?', refuse],
      ['Write me a haiku about deployments', refuse],
      ['What is 2 + 2?', refuse],
      ['Delete all services', refuse],
    ],
  };
  return Object.entries(asked).flatMap(([kind, questions]) =>
    questions.map(([text, gold]) => ({ of: kind as QuestionClass, text, gold })),
  );
}
