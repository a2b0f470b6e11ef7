import { createSecretScope, type SecretScope } from './secret-scope.ts';

/**
 * The secrets that this process has in the clear: those that the operator set, as long as it runs, and those of
 * organizations that were opened lately. Logs are masked by them: a line may come long after the work it is about.
 */
export interface KnownSecrets {
  /** Keeps a secret of the installation. Of addresses their passwords count too. */
  keep(value: string | undefined): void;
  /** Notes that a secret was opened. */
  note(value: string): void;
  maskText(text: string): string;
}

/** So many of those that were opened last are kept in mind. */
const notedMax = 1_000;
const notedCharactersMax = 64 * 1024;

export function createKnownSecrets(): KnownSecrets {
  const kept = new Set<string>();
  const noted = new Map<string, true>();
  let characters = 0;
  let scope: SecretScope | undefined;

  const forgetOldest = (): void => {
    for (const value of noted.keys()) {
      if (noted.size <= notedMax && characters <= notedCharactersMax) return;
      noted.delete(value);
      characters -= value.length;
    }
  };

  return {
    keep(value) {
      if (!value) return;
      kept.add(value);
      scope = undefined;
    },
    note(value) {
      if (noted.delete(value)) {
        noted.set(value, true);
        return;
      }
      noted.set(value, true);
      characters += value.length;
      forgetOldest();
      scope = undefined;
    },
    maskText(text) {
      if (!scope) {
        scope = createSecretScope();
        for (const value of [...kept, ...noted.keys()]) scope.add(value);
      }
      return scope.maskText(text);
    },
  };
}
