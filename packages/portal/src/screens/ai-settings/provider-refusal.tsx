import { Alert, Text } from '@mantine/core';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { testedModels } from './provider-things.ts';

/** Why a provider was refused: the response of each model, or invalid settings. */
export function ProviderRefusal({ error, what }: { error: Error; what: string }) {
  const tested = testedModels(error);
  if (tested.length === 0) return <ErrorState error={error} what={what} />;
  return (
    <Alert color="red" role="alert" title={what}>
      <Text size="sm">{t('Not every model answered, so nothing was changed:')}</Text>
      <ul>
        {tested.map(([model, message, isValid]) => (
          <li key={model}>
            <code>{model}</code>: {isValid ? t('answered') : message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
