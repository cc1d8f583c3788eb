/** One thing that a target can have: whether it is there and does what it is for. */
export interface Row {
  /** As the target file spells it: `roles.reader`. */
  readonly field: string;
  /**
   * `works`; `broken`, which a run would end on with exit 3; `odd`, which it would not; `untried`: there, and nothing is
   * known of it; `absent`.
   */
  readonly state: 'works' | 'broken' | 'odd' | 'untried' | 'absent';
  readonly text: string;
}
