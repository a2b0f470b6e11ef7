import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { choosable, operatorProvider } from './offered-models.ts';
import { findDefaultsRow, putDefaultsRow, readChoice, type StoredDefaults } from './provider.store.ts';
import type { ProvidersDeps } from './providers.deps.ts';
import { providerNotFound } from './write-provider.ts';

interface DefaultsInput {
  readonly provider: string;
  readonly model: string;
}

/** The default model: the organization's choice, otherwise the operator's. */
export async function readDefaults({ database, models }: ProvidersDeps, actor: Actor) {
  const row = await findDefaultsRow(database, actor.orgId);
  return row ? present(row) : { provider: operatorProvider, model: models.operator.standard };
}

/** @throws AppError `LLMProviderNotFoundError`, `LLMProviderModelNotEnabledError` */
export async function writeDefaults({ unitOfWork, models }: ProvidersDeps, actor: Actor, input: DefaultsInput) {
  const { provider, model } = input;
  const row = await unitOfWork(actor, async ({ tx, now, record }) => {
    const choice = await readChoice(tx, actor.orgId);
    const isPort = provider === operatorProvider;
    if (!isPort && !choice.providers.some((each) => each.provider === provider)) throw providerNotFound(provider);
    const enabled = choosable(models.operator, choice).filter((each) =>
      isPort ? each.isOperators : !each.isOperators && each.provider === provider,
    );
    if (!enabled.some((each) => each.model === model)) {
      const names = enabled.map((each) => each.model).join(', ') || 'none';
      const message = `The model "${model}" of ${provider} is not enabled. Enabled are: ${names}`;
      throw new AppError('LLMProviderModelNotEnabledError', message);
    }
    const before = await findDefaultsRow(tx, actor.orgId);
    const stamps = { createdAt: before?.createdAt ?? now, createdBy: before?.createdBy ?? actor.id };
    const after: StoredDefaults = { provider, model, ...stamps, updatedAt: now, updatedBy: actor.id };
    await putDefaultsRow(tx, actor.orgId, after);
    const context = {};
    const wasThere = before ? { before: { provider: before.provider, model: before.model } } : {};
    record({
      event: 'llm-provider.updated',
      action: 'UPDATE',
      resourceType: 'llm-provider',
      identifier: 'defaults',
      context,
      ...wasThere,
      after: { provider, model },
    });
    return after;
  });
  return present(row);
}

function present({ provider, model, createdAt, createdBy, updatedAt, updatedBy }: StoredDefaults) {
  const stamps = { createdAt: createdAt.toISOString(), createdBy, updatedAt: updatedAt.toISOString(), updatedBy };
  return { provider, model, ...stamps };
}
