import { type FusionName, fusionByName, fusionNames } from '../../fusion/index.ts'

/** Methods that can be made by their name alone; the others need what was fitted for them. */
export const untrainedFusions: readonly FusionName[] = fusionNames.filter(canBeMade)

function canBeMade(name: FusionName): boolean {
  try {
    fusionByName(name)
    return true
  } catch {
    return false
  }
}
