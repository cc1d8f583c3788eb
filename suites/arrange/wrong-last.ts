/** All of them, the first at fault behind the others: of several exchanges that show a failure the last decides. */
export function wrongLast<Each>(all: readonly Each[], isWrong: (each: Each) => boolean): readonly Each[] {
  const wrong = all.find(isWrong);
  return wrong === undefined ? all : [...all.filter((each) => each !== wrong), wrong];
}
