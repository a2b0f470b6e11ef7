import { sources } from './sources.ts';
import type { DemoEntity, JsonObject } from './types.ts';

export const environments: DemoEntity[] = [
  environment('prod-eu', 'Production EU', { kind: 'production', gateway: '2001:db8:20:1::1', frozen: false }),
  environment('prod-us', 'Production US', { kind: 'production', gateway: '2001:db8:30:1::1', frozen: false }),
  environment('staging', 'Staging', { kind: 'staging', gateway: '2001:db8:40:1::1', frozen: false }),
  environment('preview', 'Preview', { kind: 'preview', gateway: '2001:db8:50:1::1', frozen: false }),
];

/** Eight workloads that the cluster exporter reports, and eight rented things. The last two belong to no service. */
export const cloudResources: DemoEntity[] = [
  workload('prod-eu', 'routing', 'route-planner', 'route-planner', 1240),
  workload('prod-eu', 'routing', 'eta-forecast', 'eta+forecast', 980),
  workload('prod-eu', 'tracking', 'shipment-tracking', 'shipment-tracking', 1610),
  workload('prod-us', 'tracking', 'shipment-tracking', 'shipment-tracking', 1120),
  workload('prod-eu', 'tracking', 'telemetry-ingest', 'telemetry-ingest', 1890),
  workload('prod-eu', 'customs', 'customs-declarations', 'customs-declarations', 760),
  workload('prod-eu', 'platform', 'identity', 'identity', 540),
  workload('staging', 'billing', 'invoicing', 'invoicing', 130),
  rented('arn:aws:rds:eu-central-1:204816357190:db/shipment-tracking', 'Tracking database', 'database', 'aws', 2340, {
    service: 'shipment-tracking',
    zones: ['eu-central-1a', 'eu-central-1b'],
  }),
  rented('arn:aws:rds:eu-central-1:204816357190:db/invoicing', 'Invoice database', 'database', 'aws', 1180, {
    service: 'invoicing',
    zones: ['eu-central-1a', 'eu-central-1b'],
  }),
  rented('arn:aws:elasticache:eu-central-1:204816357190:cluster/rates', 'Rate cache', 'cache', 'aws', 310, {
    service: 'rate-engine',
    zones: ['eu-central-1a'],
  }),
  rented('arn:aws:kafka:eu-central-1:204816357190:cluster/halyard-events', 'Event brokers', 'queue', 'aws', 3950, {
    service: 'event-bus',
    zones: ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'],
  }),
  rented('hetzner:fsn1:server/geo-tiles-1', 'Map tile server', 'server', 'hetzner', 219, {
    service: 'geo.tiles',
    zones: ['fsn1'],
  }),
  rented('cloudflare:zone/halyardfreight.example', 'Public DNS', 'dns', 'cloudflare', 200, {
    service: 'customer-portal',
  }),
  rented('arn:aws:s3:::halyard-edi-archive', 'EDI archive 2014–2021', 'bucket', 'aws', 412, {}),
  rented('on-premises:hamburg:server/hh-file-02', 'File server Hamburg', 'server', 'on-premises', 95, {}),
];

function environment(identifier: string, title: string, properties: JsonObject): DemoEntity {
  return { blueprint: 'environment', identifier, title, properties, relations: {} };
}

function workload(cluster: string, namespace: string, name: string, service: string, monthlyCost: number): DemoEntity {
  return {
    blueprint: 'cloudResource',
    identifier: `k8s:${cluster}/${namespace}/deployment/${name}`,
    title: `${name} (${cluster})`,
    properties: {
      kind: 'workload',
      provider: 'aws',
      monthlyCost,
      labels: { app: name, namespace, 'managed-by': 'helm' },
    },
    relations: { service, runsIn: cluster },
    datasource: sources.kubernetes,
  };
}

function rented(
  identifier: string,
  title: string,
  kind: string,
  provider: string,
  monthlyCost: number,
  place: { service?: string; zones?: string[] },
): DemoEntity {
  const { service = null, zones } = place;
  return {
    blueprint: 'cloudResource',
    identifier,
    title,
    properties: {
      kind,
      provider,
      monthlyCost,
      labels: service === null ? {} : { 'cost-centre': 'engineering' },
      ...(zones ? { zones } : {}),
    },
    relations: { service, runsIn: service === null ? null : 'prod-eu' },
  };
}
