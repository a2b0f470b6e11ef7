import { z } from 'zod';
import { type SamplerConfig, samplerNames } from './platform/telemetry/sampler.ts';
import type { Setting } from './setting.ts';

export const telemetrySettings: readonly Setting[] = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '(none)',
    description:
      'Address of a collector that takes OTLP over HTTP; `/v1/traces` is added. Requests, jobs, calls of other systems and runs of the assistant are sent there as spans, without what was asked and answered.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: '(none)',
    description: 'Headers for the collector, `name=value` separated by commas.',
    isSecret: true,
  },
  { name: 'OTEL_SERVICE_NAME', default: 'portolan', description: 'The name of this installation in traces.' },
  {
    name: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    description: `Which traces are sent: ${samplerNames.map((name) => `\`${name}\``).join(', ')}.`,
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    description: 'For the samplers by ratio: the share of traces that are sent, 0 to 1.',
  },
];

export const telemetryEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((text) => text.split(',').flatMap((pair) => pair.trim() || []))
    .refine((pairs) => pairs.every((pair) => /^[\w-]+\s*=[^\r\n]*$/.test(pair)), {
      error: 'must be name=value, several separated by commas',
    })
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(200).default('portolan'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `must be one of ${samplerNames.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be 0 to 1' })
    .min(0, { error: 'must be at least 0' })
    .max(1, { error: 'must be at most 1' })
    .default(1),
};
type Environment = z.output<z.ZodObject<typeof telemetryEnvironment>>;

export interface TelemetryConfig {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: SamplerConfig;
}

/** Values of headers may be percent-encoded, as the specification of OpenTelemetry has it. */
export function readTelemetryConfig(values: Environment): TelemetryConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: pairs = [] } = values;
  const headers = pairs.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
  });
  if (endpoint === undefined) return undefined;
  const sampler = { name: values.OTEL_TRACES_SAMPLER, ratio: values.OTEL_TRACES_SAMPLER_ARG };
  return { endpoint, headers: Object.fromEntries(headers), serviceName: values.OTEL_SERVICE_NAME, sampler };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
