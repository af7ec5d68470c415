/** How many things are in each state, in the order of the states: `2 agree, 1 contradicts itself`. */
export const tallied = <State extends string>(
  states: readonly State[],
  found: readonly State[],
  names: { readonly one: Readonly<Record<State, string>>; readonly several: Readonly<Record<State, string>> },
): string =>
  states
    .map(state => ({ state, count: found.filter(each => each === state).length }))
    .filter(({ count }) => count > 0)
    .map(
      ({ state, count }) =>
        `${count.toLocaleString('en')} ${(count === 1 ? names.one : names.several)[state]}`,
    )
    .join(', ')
