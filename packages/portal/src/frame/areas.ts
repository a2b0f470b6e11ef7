import type { Area, Destination, PanelDeclaration } from './area.ts';

const found = import.meta.glob<{ default: Area }>('../screens/*/area.ts', { eager: true });

/** Every area there is: a folder of `screens` with an `area.ts` is one, and nothing else has to name it. */
const areas: readonly Area[] = Object.values(found).map((file) => file.default);

export const destinations: readonly Destination[] = areas
  .flatMap((each) => each.destinations ?? [])
  .toSorted((left, right) => left.order - right.order);

export const panels: readonly PanelDeclaration[] = areas.flatMap((each) => each.panels ?? []);

export const userMenuItems = areas.flatMap((each) => each.userMenu ?? []);
