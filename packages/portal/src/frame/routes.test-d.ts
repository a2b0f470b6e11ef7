import { Link, linkOptions } from '@tanstack/react-router';
import type { Destination } from './area.ts';
import type { LinkTarget } from './link-target.ts';
import { ButtonLink } from './links.tsx';
import { useParam, useUrlState } from './url-state.ts';

/** Code that must not compile: each line that does fails the type check. Nothing here runs. */
export function useRefusedLinks(): void {
  const params = { run: 'r_1' };
  linkOptions({ to: '/runs/$run', params });
  linkOptions({ to: '/runs', search: { status: 'FAILURE', mine: true } });
  useParam('run');
  const [, setMine] = useUrlState('/runs', 'mine');
  setMine(true);

  // @ts-expect-error there is no such screen
  linkOptions({ to: '/rnus' });
  // @ts-expect-error the parameter is missing
  linkOptions({ to: '/runs/$run' });
  // @ts-expect-error the parameter is misspelt
  linkOptions({ to: '/runs/$run', params: { id: 'r_1' } });
  // @ts-expect-error no screen of this path has such a search
  linkOptions({ to: '/runs', search: { state: 'FAILURE' } });
  // @ts-expect-error the value has the wrong type
  linkOptions({ to: '/runs', search: { mine: 'yes' } });
  // @ts-expect-error an address that is put together is not checked
  linkOptions({ to: `/runs/${params.run}` });
  // @ts-expect-error there is no such screen
  Link({ to: '/rnus' });
  // @ts-expect-error the parameter is missing
  ButtonLink({ to: '/runs/$run', children: 'Run' });
  // @ts-expect-error the parameter is missing
  const target: LinkTarget = { to: '/runs/$run' };
  // @ts-expect-error a destination has no parameters
  const to: Destination['to'] = '/runs/$run';
  // @ts-expect-error no path has such a parameter
  useParam('rnu');
  // @ts-expect-error the search of this screen has no such value
  useUrlState('/runs', 'state');
  // @ts-expect-error the value has the wrong type
  setMine('yes');
  void [target, to];
}
