import type { Definition } from '../document/definition.ts';

const ofType: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: false, array: [], object: {} };

/** A sample to begin with: the inputs of a form with their defaults, or the shape of an event. */
export function startSample(trigger: Definition['nodes'][number] | undefined): string {
  return JSON.stringify(toSample(trigger?.config ?? {}), null, 2);
}

function toSample(config: Readonly<Record<string, unknown>>): object {
  if (config['type'] === 'SELF_SERVE_TRIGGER') {
    const form = config['userInputs'] as { properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
    return Object.fromEntries(
      Object.entries(form?.properties ?? {}).map(([key, { type, default: preset, enum: choices }]) => {
        const isPlain = preset !== undefined && (typeof preset !== 'object' || Array.isArray(preset));
        return [key, isPlain ? preset : Array.isArray(choices) ? choices[0] : (ofType[String(type)] ?? null)];
      }),
    );
  }
  if (config['type'] === 'EVENT_TRIGGER') {
    const { blueprintIdentifier: blueprint = '' } = (config['event'] ?? {}) as { blueprintIdentifier?: string };
    const entity = { identifier: 'example', title: 'Example', blueprint, properties: {}, relations: {} };
    const context = { blueprintIdentifier: blueprint, entityIdentifier: 'example' };
    return { action: 'CREATE', resourceType: 'entity', context, diff: { before: null, after: entity } };
  }
  return { scheduledAt: '2026-01-01T00:00:00.000Z', triggeredAt: '2026-01-01T00:00:00.000Z', missed: 0 };
}
