import { examineInstallation as operation } from '@portolan/contract/operator';
import { type Route, route } from '../../platform/http/route.ts';
import { type ExaminationDeps, examineInstallation } from './examine-installation.ts';

/** Says what in the installation needs the operator. */
export function createExamination(deps: ExaminationDeps): { readonly routes: Route[] } {
  return { routes: [route(operation, async () => ({ checks: await examineInstallation(deps) }))] };
}
