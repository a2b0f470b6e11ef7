import { FirstRun } from './first-run.tsx';

/** The first steps under an address of their own, for whoever has the normal Home already. */
export function Screen() {
  return <FirstRun />;
}
