/** One way to ask all cases: a column of the comparison. What is absent is as the case and the organization have it. */
export interface Variant {
  /** In the table, and what a run is found by in the baseline. */
  readonly name: string;
  readonly model?: { readonly provider: string; readonly model: string };
  readonly agent?: string;
  readonly prompt?: { readonly file: string; readonly text: string };
}

/** Every model with every agent and every prompt; one variant without anything of its own if there are none. */
export function combineVariants(
  models: readonly NonNullable<Variant['model']>[],
  answering: readonly (Pick<Variant, 'agent'> | Pick<Variant, 'prompt'>)[],
): Variant[] {
  return orOne(models.map((model) => ({ model }))).flatMap((model) =>
    orOne(answering).map((who) => {
      const parts: Omit<Variant, 'name'> = { ...model, ...who };
      return { name: nameParts(parts), ...parts };
    }),
  );
}

function orOne<T extends object>(all: readonly T[]): readonly (T | object)[] {
  return all.length > 0 ? all : [{}];
}

function nameParts({ model, agent, prompt }: Omit<Variant, 'name'>): string {
  const parts = [
    ...(model ? [`${model.provider}/${model.model}`] : []),
    ...(agent === undefined ? [] : [`agent ${agent}`]),
    ...(prompt === undefined ? [] : [`prompt ${prompt.file}`]),
  ];
  return parts.join(', ') || 'as set up';
}
