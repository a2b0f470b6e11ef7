/** Whether a span is sent; `parent` says whether the one it belongs to is. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** The values of `OTEL_TRACES_SAMPLER`, as OpenTelemetry names them. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface SamplerConfig {
  readonly name: (typeof samplerNames)[number];
  /** For the ratios: the share of traces that are sent, 0 to 1. */
  readonly ratio: number;
}

const samplerDefault: SamplerConfig = { name: 'parentbased_always_on', ratio: 1 };

/** Digits of a trace id that are random, as the W3C has it. */
const randomDigits = 14;

/** The ratio is decided by the id of the trace, so that every process decides alike. */
export function createSampler({ name, ratio }: SamplerConfig = samplerDefault): Sampler {
  const from = (1 - ratio) * 16 ** randomDigits;
  const roots: Readonly<Record<string, (traceId: string) => boolean>> = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: (traceId) => Number.parseInt(traceId.slice(-randomDigits), 16) >= from,
  };
  const isParentBased = name.startsWith('parentbased_');
  const root = roots[name.replace('parentbased_', '')] ?? (() => true);
  return (traceId, parent) => (isParentBased && parent !== undefined ? parent : root(traceId));
}
