import { createSecretScope, type SecretScope } from './secret-scope.ts';

/**
 * Secrets this process holds in the clear: those of the operator for its lifetime, and recently opened ones of
 * organizations. Log lines are masked with them, because a line may come long after the work.
 */
export interface KnownSecrets {
  /** Adds a secret of the installation; of an address also its password. */
  keep(value: string | undefined): void;
  /** Notes that a secret was opened. */
  note(value: string): void;
  maskText(text: string): string;
}

/** Recently opened secrets that are kept. */
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
