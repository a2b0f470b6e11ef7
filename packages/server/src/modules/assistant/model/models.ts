import { type AssistantModel, createModel, defaultModels, type ModelSettings } from './create-model.ts';

/** What a request or an agent says about the model that should answer; never an error, whatever it says. */
export interface ModelHint {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/** The models that the operator offers. */
export interface Models {
  /** The model of the first hint that the operator offers, else the default. */
  choose(hints: readonly (ModelHint | undefined)[]): { readonly provider: string; readonly model: string };
  /** A model by its name, made once; rejects with what is wrong with the settings. */
  open(name: string): Promise<AssistantModel>;
}

/** The operator's default, under a name that clients send. */
const operatorDefault = 'port';

/** One provider, its default model, and the further ones that the operator lets people choose. */
export function createModels(settings: ModelSettings): Models {
  const { provider } = settings;
  const standard = settings.model || defaultModels[provider];
  const offered = new Set([standard, ...(settings.offered ?? [])]);
  const made = new Map<string, Promise<AssistantModel>>();
  const isOurs = (name: string | undefined) => !name || name === provider || name === operatorDefault;
  return {
    choose(hints) {
      const fitting = hints.find((hint) => hint?.model && offered.has(hint.model) && isOurs(hint.provider));
      return { provider, model: fitting?.model ?? standard };
    },
    open(name) {
      const model = offered.has(name) ? name : standard;
      const known = made.get(model);
      if (known) return known;
      const opened = createModel({ ...settings, model });
      made.set(model, opened);
      return opened;
    },
  };
}
