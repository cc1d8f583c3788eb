/** Any machine is shown any workspace: the checks of the overview fail. */
export const showsAnyWorkspace = {
  mayOverview: (): boolean => true,
  isLinkedMembershipActive: (): boolean => true,
  isCallersMembership: (): boolean => true,
};
