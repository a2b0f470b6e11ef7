import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import { OfferForm } from './offer-form.tsx';

test('where a form is offered is a list of contexts, of which each switch writes its own', async () => {
  fakeApi({ listBlueprints: () => ({ ok: true, blueprints: [] }) } as never);
  const kept = { on: 'ENTITY', userInput: 'other' };
  const config = {
    type: 'SELF_SERVE_TRIGGER',
    userInputs: {
      properties: {
        service: { type: 'string', format: 'entity', blueprint: 'service', title: 'Which one' },
        note: { type: 'string' },
      },
    },
    contexts: [kept],
  };
  const changed = vi.fn();
  await draw(<OfferForm config={config} faults={[]} onChange={changed} />);
  fireEvent.click(await screen.findByRole('switch', { name: /In the menu of each entity of service/ }));
  expect(changed).toHaveBeenLastCalledWith([kept, { on: 'ENTITY', userInput: 'service' }]);
  fireEvent.click(screen.getByRole('switch', { name: /Among the cards of self-service/ }));
  expect(changed).toHaveBeenLastCalledWith([kept, { on: 'SELF_SERVICE_HUB', visible: false }]);
  expect(screen.getAllByRole('switch')).toHaveLength(2);
});
