import { type Facts, first, isEmpty, largest, lastDays, pointsAt, targets, time, within } from './facts.ts';
import { type Fact, type Gold, groups, number, type Question, says, set } from './question.ts';

/**
 * More questions about the demo that were written to be misread: negations, alternatives, directions, words that mean
 * two things. A right answer is welcome, none is fine, a wrong one is not.
 */
export function demoTraps({ of, one, now }: Facts): Question[] {
  const [services, incidents, deployments, pulls] = [
    of('service'),
    of('incident'),
    of('deployment'),
    of('pullRequest'),
  ];
  const [resources, packages] = [of('cloudResource'), of('package')];
  const service = (name: string) => one('service', name);
  const where = (some: readonly Fact[], property: string, ...values: unknown[]) =>
    some.filter((each) => values.includes(each.properties[property]));
  const without = (some: readonly Fact[], property: string, value: unknown) =>
    some.filter((each) => each.properties[property] !== value);
  const to = (some: readonly Fact[], relation: string, target: Fact) =>
    some.filter((each) => pointsAt(each, relation, target));
  const from = (some: readonly Fact[], source: Fact, relation: string) =>
    some.filter((each) => targets(source, relation).includes(each.identifier));
  const production = where(services, 'lifecycle', 'production');
  const touched = (some: readonly Fact[]) => services.filter((each) => to(some, 'services', each).length > 0);
  const priya = one('_user', 'Priya Raman');
  const owned = (team: string) => services.filter((each) => each.team.includes(one('_team', team).identifier));
  const numberOf = (fact: Fact, property: string) => Number(fact.properties[property]);
  const tierOf = (fact: Fact) => of('domain').find((each) => pointsAt(fact, 'domain', each))?.properties['tier'];
  const latest = (some: readonly Fact[], property: string) => largest(some, (each) => time(each, property));
  const asked: [string, Gold][] = [
    ['Which services are written in Go and Java?', set(where(services, 'language', 'Go', 'Java'))],
    [
      'services written in Go or in beta',
      set(services.filter((each) => each.properties['language'] === 'Go' || each.properties['lifecycle'] === 'beta')),
    ],
    ['services not written in Java', set(without(services, 'language', 'Java'))],
    ['incidents that are not resolved', set(without(incidents, 'status', 'resolved'))],
    [
      'services that do not depend on Identity',
      set(services.filter((each) => !pointsAt(each, 'dependsOn', service('Identity')))),
    ],
    [
      'which services have more than 3 incidents?',
      set(services.filter((each) => to(incidents, 'services', each).length > 3)),
    ],
    [
      'Which services does nothing depend on?',
      set(services.filter((each) => to(services, 'dependsOn', each).length === 0)),
    ],
    [
      'failed deployments last week',
      set(within(where(deployments, 'status', 'failed'), 'deployedAt', '2026-02-23', '2026-03-02')),
    ],
    ['incidents resolved last month', set(within(incidents, 'resolvedAt', '2026-02-01', '2026-03-01'))],
    ['services launched before 2020', set(within(services, 'launchedOn', '1900-01-01', '2020-01-01'))],
    ['services launched in 2019', set(within(services, 'launchedOn', '2019-01-01', '2020-01-01'))],
    ['production services without on call', set(production.filter((each) => isEmpty(each.properties['onCall'])))],
    [
      'Which team owns no services?',
      set(of('_team').filter((team) => services.every((each) => !each.team.includes(team.identifier)))),
    ],
    ['which services does Identity depend on?', set(from(services, service('Identity'), 'dependsOn'))],
    ['what depends on customer portal', set(to(services, 'dependsOn', service('Customer Portal')))],
    [
      'Which service depends on the most services?',
      set(largest(services, (each) => targets(each, 'dependsOn').length)),
    ],
    ['services with the most dependencies', set(largest(services, (each) => targets(each, 'dependsOn').length))],
    ['latest deployment', set(latest(deployments, 'deployedAt'))],
    [
      'last 3 deployments of Identity',
      set(first(to(deployments, 'service', service('Identity')), 3, (each) => time(each, 'deployedAt'))),
    ],
    ['incidents commanded by Priya Raman', set(to(incidents, 'commander', priya))],
    ['pull requests by Priya Raman', set(to(pulls, 'author', priya))],
    ['pull requests of Priya Raman', set(to(pulls, 'author', priya))],
    ['Which pull requests are not merged?', set(without(pulls, 'state', 'merged'))],
    ['cloud resources in AWS', set(where(resources, 'provider', 'aws'))],
    ['database cloud resources', set(where(resources, 'kind', 'database'))],
    ['incidents per severity', groups(incidents, (each) => each.properties['severity'])],
    [
      'which environment has the most deployments?',
      set(largest(of('environment'), (each) => to(deployments, 'environment', each).length)),
    ],
    [
      'who is responsible for INC-1204?',
      says(...one('incident', 'INC-1204').team.map((key) => one('_team', key).title)),
    ],
    ['when was Identity launched?', says(String(service('Identity').properties['launchedOn']).slice(0, 10))],
    ['critical or high vulnerabilities', set(where(of('vulnerability'), 'severity', 'critical', 'high'))],
    [
      'vulnerabilities with a CVSS score of at least 9',
      set(of('vulnerability').filter((each) => numberOf(each, 'cvss') >= 9)),
    ],
    ['Which packages are used by Identity?', set(to(packages, 'usedBy', service('Identity')))],
    ['Which services are used by Route Planner?', set(from(services, service('Route Planner'), 'dependsOn'))],
    ['Which services use lodash?', set(from(services, one('package', 'lodash'), 'usedBy'))],
    ['which services are affected by INC-1204?', set(from(services, one('incident', 'INC-1204'), 'services'))],
    ['services with open incidents', set(touched(where(incidents, 'status', 'open')))],
    ['services without incidents', set(services.filter((each) => !touched(incidents).includes(each)))],
    ['services affected by open incidents', set(touched(where(incidents, 'status', 'open')))],
    ['deployments to Production EU', set(to(deployments, 'environment', one('environment', 'Production EU')))],
    ['tier 1 services', set(services.filter((each) => tierOf(each) === 1))],
    ['What is the tier of Routing?', says(String(one('domain', 'Routing').properties['tier']))],
    ['manager of Priya Raman', says('Marta Lindqvist')],
    [
      'how many people are in Site Reliability?',
      number(of('_user').filter((each) => each.team.includes('site-reliability')).length),
    ],
    ['Parent team of Site Reliability', says('Engineering')],
    ["what's the version of Invoicing?", says(String(service('Invoicing').properties['version']))],
    ['incidents in the last 3 days', set(lastDays(incidents, 'openedAt', 3, now))],
    [
      'How many incidents did Shipment Tracking have last month?',
      number(
        within(to(incidents, 'services', service('Shipment Tracking')), 'openedAt', '2026-02-01', '2026-03-01').length,
      ),
    ],
    [
      'services with language Go and lifecycle beta',
      set(where(where(services, 'language', 'Go'), 'lifecycle', 'beta')),
    ],
    ['services whose version is 7.2.5', set(where(services, 'version', '7.2.5'))],
    [
      'Which services are owned by Site Reliability and written in TypeScript?',
      set(where(owned('Site Reliability'), 'language', 'TypeScript')),
    ],
    ['services of the team Billing & Rates', set(owned('Billing & Rates'))],
    [
      'show me Rust services which have no owner',
      set(where(services, 'language', 'Rust').filter((each) => each.team.length === 0)),
    ],
    [
      'services owned by Customs & Compliance in production',
      set(where(owned('Customs & Compliance'), 'lifecycle', 'production')),
    ],
    ['services with no domain', set(services.filter((each) => targets(each, 'domain').length === 0))],
    [
      'resolved SEV1 incidents of Identity',
      set(to(where(where(incidents, 'status', 'resolved'), 'severity', 'SEV1'), 'services', service('Identity'))),
    ],
    ['packages without users', set(packages.filter((each) => targets(each, 'usedBy').length === 0))],
    ['which services were launched last?', set(latest(services, 'launchedOn'))],
    ['deployment with the shortest duration', set(largest(deployments, (each) => numberOf(each, 'durationSec'), -1))],
    [
      'services not owned by Site Reliability',
      set(services.filter((each) => !owned('Site Reliability').includes(each))),
    ],
    [
      'open incidents not affecting Route Planner',
      set(where(incidents, 'status', 'open').filter((each) => !pointsAt(each, 'services', service('Route Planner')))),
    ],
    ['services without Go', set(without(services, 'language', 'Go'))],
    ['Which service has the second most incidents?', set([])],
    ['all but Java services', set(without(services, 'language', 'Java'))],
    ['half of the services', set([])],
    ['services which never had incidents', set(services.filter((each) => !touched(incidents).includes(each)))],
    [
      'production and beta services in Go',
      set(where(where(services, 'lifecycle', 'production', 'beta'), 'language', 'Go')),
    ],
  ];
  return asked.map(([text, gold]) => ({ of: 'trap', text, gold }));
}
