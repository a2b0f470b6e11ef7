import { describe, expect, it } from 'vitest';
import { readinessLevels } from '../../test/demo/golden-answers.ts';
import { type DemoEntity, demoOrganization } from '../../test/demo/organization.ts';

/** Questions people ask the demo, with their answers written out. The clock stands where the answers were worked out. */
const now = new Date('2026-03-02T09:00:00Z');
const organization = demoOrganization(now);
const { entities } = organization;
const services = of('service');

const dayMs = 86_400_000;

function of(blueprint: string): DemoEntity[] {
  return entities.filter((one) => one.blueprint === blueprint);
}

function names(some: DemoEntity[]): string[] {
  return some.map((one) => one.identifier).sort();
}

function related(entity: DemoEntity, relation: string): string[] {
  const value = entity.relations[relation];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : [];
}

function time(entity: DemoEntity, property: string): number {
  return Date.parse(String(entity.properties[property]));
}

/** Everything reached by going on along `next` from `start`, in any number of steps. */
function reach(start: string, next: (identifier: string) => string[]): string[] {
  const seen = new Set<string>();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const one of next(at)) {
      if (seen.has(one)) continue;
      seen.add(one);
      waiting.push(one);
    }
  }
  seen.delete(start);
  return [...seen].sort();
}

const dependencies = (of_: string) => related(services.find((one) => one.identifier === of_)!, 'dependsOn');
const dependents = (of_: string) => names(services.filter((one) => related(one, 'dependsOn').includes(of_)));

/** Count by started weeks between the oldest and the newest moment. */
function averageByWeek(some: DemoEntity[], property: string): number {
  const times = some.map((one) => time(one, property));
  const weeks = Math.ceil((Math.max(...times) - Math.min(...times)) / (7 * dayMs));
  return some.length / Math.max(weeks, 1);
}

function findVulnerabilities(service: string): DemoEntity[] {
  const used = of('package').filter((one) => related(one, 'usedBy').includes(service));
  return of('vulnerability').filter((one) => used.some((some) => related(one, 'package').includes(some.identifier)));
}

function maxCvss(service: string): number {
  return Math.max(...findVulnerabilities(service).map((one) => Number(one.properties['cvss'])));
}

function riskBand(service: string): 'Low' | 'Medium' | 'High' {
  const isBurning = of('incident').some(
    (one) => one.properties['status'] === 'open' && related(one, 'services').includes(service),
  );
  const isExposed = findVulnerabilities(service).some((one) => one.properties['severity'] === 'critical');
  if (isBurning && isExposed) return 'High';
  return isBurning || isExposed ? 'Medium' : 'Low';
}

function readiness(service: DemoEntity): string {
  const domain = of('domain').find((one) => related(service, 'domain').includes(one.identifier));
  const runbooks = service.properties['runbooks'];
  if ((service.team ?? []).length === 0 || domain === undefined) return 'Basic';
  if (!Array.isArray(runbooks) || runbooks.length === 0 || related(domain, 'parent').length === 0) return 'Bronze';
  return service.properties['onCall'] && riskBand(service.identifier) === 'Low' ? 'Gold' : 'Silver';
}

describe('golden answers', () => {
  it('counts what the demo holds', () => {
    const counts = organization.blueprints.map(({ identifier }) => [identifier, of(identifier).length]);
    expect(Object.fromEntries(counts)).toEqual({
      domain: 7,
      service: 18,
      environment: 4,
      cloudResource: 16,
      deployment: 36,
      incident: 14,
      pullRequest: 16,
      package: 8,
      vulnerability: 12,
      devSandbox: 5,
    });
    const { users, teams, agents, invocations } = organization;
    expect(entities.length + users.length + teams.length).toBe(158);
    expect(agents.length + invocations.length).toBe(8);
  });

  it('which services have no owner?', () => {
    expect(names(services.filter((one) => one.team?.length === 0))).toEqual([
      'dock-scheduler',
      'edi-bridge',
      'geo.tiles',
    ]);
  });

  it('how are the services spread over their lifecycle?', () => {
    const at = (lifecycle: string) => services.filter((one) => one.properties['lifecycle'] === lifecycle).length;
    expect(['production', 'beta', 'deprecated', 'planned'].map(at)).toEqual([12, 3, 2, 1]);
  });

  it('which services depend on each other in a circle, and which on nothing?', () => {
    const inCircle = services.filter(({ identifier }) =>
      dependencies(identifier).some((one) => one === identifier || reach(one, dependencies).includes(identifier)),
    );
    expect(names(inCircle)).toEqual(['eta+forecast', 'route-planner', 'shipment-tracking']);
    expect(names(services.filter((one) => related(one, 'dependsOn').length === 0))).toEqual(['identity']);
    expect(names(services.filter((one) => one.title === undefined))).toEqual(['edi-bridge']);
  });

  it('what was deployed today, and how did all deployments end?', () => {
    const deployments = of('deployment');
    const today = deployments.filter((one) => String(one.properties['deployedAt']).startsWith('2026-03-02'));
    expect(today).toHaveLength(6);
    const ended = (status: string) => deployments.filter((one) => one.properties['status'] === status).length;
    expect(['success', 'failed', 'rolled_back'].map(ended)).toEqual([29, 5, 2]);
  });

  it('which incidents are SEV1 or SEV2?', () => {
    const severe = of('incident').filter((one) => ['SEV1', 'SEV2'].includes(String(one.properties['severity'])));
    expect(names(severe)).toEqual(['INC-1118', 'INC-1150', 'INC-1176', 'INC-1183', 'INC-1197', 'INC-1201', 'INC-1204']);
  });

  it('how many incidents are open, and how many touch several services?', () => {
    expect(of('incident').filter((one) => one.properties['status'] === 'open')).toHaveLength(4);
    expect(of('incident').filter((one) => related(one, 'services').length > 1)).toHaveLength(3);
  });

  it('what belongs to the teams of Tomás, Henrik and Clara?', () => {
    const ownedBy = (address: string) => {
      const mine = organization.users.find((one) => one.identifier === address)?.team ?? [];
      return names(services.filter((one) => one.team?.some((team) => mine.includes(team))));
    };
    expect(ownedBy('tomas.ferreira@halyardfreight.example')).toEqual(['event-bus', 'identity']);
    expect(ownedBy('henrik.solberg@halyardfreight.example')).toEqual([
      'customer-portal',
      'customs-declarations',
      'quote-api@v1',
      'sanctions-screening',
      'zollprüfung',
    ]);
    expect(ownedBy('clara.novak@halyardfreight.example')).toEqual(['invoicing', 'rate-engine']);
  });

  it('which services are in a group, by domain and then parent?', () => {
    const inGroup = (group: string) =>
      services.filter((one) =>
        of('domain').some(
          (domain) => related(one, 'domain').includes(domain.identifier) && related(domain, 'parent').includes(group),
        ),
      ).length;
    expect(['freight-operations', 'company-services'].map(inGroup)).toEqual([13, 5]);
  });

  it('which teams are under Engineering, up to three steps?', () => {
    const parentOf = new Map(organization.teams.map((one) => [one.identifier, related(one, 'parent')[0] ?? null]));
    const isUnder = (team: string) => {
      let at = parentOf.get(team) ?? null;
      for (let hop = 1; hop <= 3 && at !== null; hop += 1) {
        if (at === 'engineering') return true;
        at = parentOf.get(at) ?? null;
      }
      return false;
    };
    expect([...parentOf.keys()].filter(isUnder)).toHaveLength(7);
  });

  it('what does Customer Portal depend on, and what depends on Rate Engine?', () => {
    expect(reach('customer-portal', dependencies)).toEqual([
      'customs-declarations',
      'eta+forecast',
      'event-bus',
      'geo.tiles',
      'identity',
      'invoicing',
      'rate-engine',
      'route-planner',
      'sanctions-screening',
      'shipment-tracking',
      'telemetry-ingest',
      'zollprüfung',
    ]);
    expect(reach('rate-engine', dependents)).toEqual([
      'customer-portal',
      'dock-scheduler',
      'eta+forecast',
      'invoicing',
      'load-optimizer',
      'quote-api@v1',
      'route-planner',
      'shipment-tracking',
    ]);
  });

  it('which timers have run out?', () => {
    const expired = (blueprint: string, timer: string) =>
      names(of(blueprint).filter((one) => one.properties[timer] !== null && time(one, timer) <= now.getTime()));
    expect(expired('incident', 'ackDeadline')).toEqual(['INC-1201', 'INC-1203']);
    expect(expired('devSandbox', 'expiresAt')).toEqual(['e_Z9fLw4Sj3DmU8xIp', 'e_y1GrB6kTq5VhO3eA']);
    const soon = of('devSandbox').filter((one) => time(one, 'expiresAt') === now.getTime() + 5 * 60_000);
    expect(soon).toHaveLength(1);
  });

  it('how often is deployed per week, a started week counting as a whole one?', () => {
    const ofService = (service: string) => of('deployment').filter((one) => related(one, 'service').includes(service));
    // 36 in thirteen weeks and a started one; 5 of Shipment Tracking in five weeks and a started one; a single one.
    expect(averageByWeek(of('deployment'), 'deployedAt')).toBe(36 / 14);
    expect(averageByWeek(ofService('shipment-tracking'), 'deployedAt')).toBe(5 / 6);
    expect(averageByWeek(ofService('geo.tiles'), 'deployedAt')).toBe(1);
  });

  it('what is the worst known weakness of services that share a package?', () => {
    expect([maxCvss('identity'), maxCvss('route-planner')]).toEqual([9.1, 9.1]);
    expect([maxCvss('edi-bridge'), maxCvss('invoicing')]).toEqual([10, 7.5]);
    const critical = of('vulnerability').filter((one) => one.properties['severity'] === 'critical');
    expect(names(critical)).toEqual(['CVE-2021-44228', 'CVE-2021-45046', 'CVE-2024-45337']);
  });

  it('which services are ready for production?', () => {
    const inProduction = services.filter((one) => one.properties['lifecycle'] === 'production');
    expect(Object.fromEntries(inProduction.map((one) => [one.identifier, readiness(one)]))).toEqual(readinessLevels);
  });

  it('which services carry the highest risk?', () => {
    expect(names(services.filter((one) => riskBand(one.identifier) === 'High'))).toEqual([
      'route-planner',
      'shipment-tracking',
    ]);
  });

  it('which rented things and packages belong to nobody?', () => {
    expect(of('cloudResource').filter((one) => related(one, 'service').length === 0)).toHaveLength(2);
    expect(names(of('package').filter((one) => related(one, 'usedBy').length === 0))).toEqual([
      'npm:moment',
      'npm:request',
    ]);
  });

  it('what does the cloud cost per month?', () => {
    const bill = of('cloudResource').reduce((sum, one) => sum + Number(one.properties['monthlyCost']), 0);
    expect(bill).toBe(16_976);
  });
});
