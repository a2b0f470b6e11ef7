import { compile, JqError } from '@portolan/jq';
import type { Collector } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import { isObject, type Path } from '../json-pointer.ts';
import { listAt, objectAt, toText } from '../reference-context.ts';
import { raw } from '../shape.ts';
import { walkMapping } from './walk-mapping.ts';

/**
 * Walks the mapping of an integration, `config.resources[].port.entity.mappings`, or notes a file that only its owners
 * can see.
 */
export function walkIntegration(collector: Collector, integration: JsonObject): void {
  const config = integration['config'];
  if (!isObject(config) || Object.keys(config).length === 0) {
    const type = `${toText(integration['integrationType'])} ${toText(integration['installationAppType'])}`;
    if (!/git|bitbucket/i.test(type)) return;
    collector.add({ area: 'file-mapping' }, ['config'], config ?? null, {
      references: [{ kind: 'file', text: toText(integration['integrationType']) }],
      verdict: 'review',
      why: 'Keeps its mapping in a file of the repositories. Look for "team:" in port.yml and port-app-config.yml there.',
    });
    return;
  }
  walkResources(collector, ['config'], config);
}

/** Walks the resources of a mapping, in the form of integrations and files. */
export function walkResources(collector: Collector, path: Path, config: JsonObject): void {
  for (const [index, resource] of listAt(config, 'resources').entries()) {
    const at = [...path, 'resources', index, 'port', 'entity', 'mappings'];
    const mappings = objectAt(objectAt(resource, 'port'), 'entity')['mappings'];
    const kind = isObject(resource) ? toText(resource['kind']) : '';
    if (Array.isArray(mappings)) {
      for (const [number, mapping] of mappings.entries()) walkOne(collector, [...at, number], kind, mapping);
    } else walkOne(collector, at, kind, mappings);
  }
}

function walkOne(collector: Collector, path: Path, kind: string, mapping: Json | undefined): void {
  if (!isObject(mapping)) return;
  const where = { area: 'integration-mapping', element: { kind: 'mapping', identifier: kind } } as const;
  walkMapping(collector, where, path, mapping, constantText(mapping['blueprint']), raw);
}

/** The constant text of an expression such as `'"service"'`. */
function constantText(source: Json | undefined): string | undefined {
  if (typeof source !== 'string') return undefined;
  try {
    const value = compile(source).first(null, { budget: { wallTimeMs: 20 } });
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/** Walks the mappings of a webhook. */
export function walkWebhook(collector: Collector, webhook: JsonObject): void {
  for (const [index, mapping] of listAt(webhook, 'mappings').entries()) {
    if (!isObject(mapping)) continue;
    const blueprint = toText(mapping['blueprint']);
    const where = { area: 'webhook-mapping', element: { kind: 'mapping', identifier: blueprint } } as const;
    walkMapping(
      collector,
      where,
      ['mappings', index, 'entity'],
      objectAt(mapping, 'entity'),
      blueprint || undefined,
      raw,
    );
  }
}
