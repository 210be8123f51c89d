import { join } from 'node:path'
import type { Repository } from '../../ports/repository/repository.ts'
import { readCheckout } from './checkout.ts'
import type { Clone } from './clone.ts'
import { treeOf, variant } from './commit.ts'
import { compose } from './compose.ts'
import { diff, listFiles, patch, readCommit, readFile, readFiles, sizeOf } from './contents.ts'
import {
  firstParents,
  history,
  isAncestor,
  mergeBase,
  recentChanges,
  searchLines,
  touching,
  wholeCommits,
} from './history.ts'
import { giveUpLanding, land } from './landing/land.ts'
import { addNotes, readNotes } from './notes.ts'
import { deleteRef, listRefs, moveRef, readRef } from './refs.ts'
import { fetchCommit, fetchPull, fetchTarget, readBundle, writeBundle } from './transfer.ts'
import { lendFiles } from './workspace/lend.ts'
import { commitPlace, dressPlace, exportTree, leavePlace, removePlace, removePlaces } from './workspace/place.ts'
import { closeWorkspace, harvest, openWorkspace } from './workspace/workspace.ts'

export function repositoryOf(clone: Clone): Repository {
  return {
    fetchTarget: (branch) => fetchTarget(clone, branch),
    fetchCommit: (commit) => fetchCommit(clone, commit),
    fetchPull: (number) => fetchPull(clone, number),
    mergeBase: (one, other) => mergeBase(clone, one, other),
    treeOf: (commit) => treeOf(clone, commit),
    readCommit: (commit) => readCommit(clone, commit),
    readFile: (commit, path) => readFile(clone, commit, path),
    listFiles: (commit) => listFiles(clone, commit),
    sizeOf: (commit) => sizeOf(clone, commit),
    readFiles: (commit, paths) => readFiles(clone, commit, paths),
    search: (request) => searchLines(clone, request),
    touching: (request) => touching(clone, request),
    recentChanges: (request) => recentChanges(clone, request),
    diff: (from, to) => diff(clone, from, to),
    patch: (from, to, maxBytes) => patch(clone, { from, to, maxBytes }),
    isAncestor: (ancestor, descendant) => isAncestor(clone, ancestor, descendant),
    openWorkspace: (request) => openWorkspace(clone, request),
    harvest: (request) => harvest(clone, request),
    closeWorkspace: (request) => closeWorkspace(clone, request),
    lendFiles: (request) => lendFiles(clone, request),
    exportTree: (commit, path) => exportTree(clone, commit, path),
    dressPlace: (request) => dressPlace(clone, request),
    objectsFolder: join(clone.gitDir, 'objects'),
    commitPlace: (request) => commitPlace(clone, request),
    leavePlace: (path) => leavePlace(clone, path),
    removePlace: (path) => removePlace(clone, path),
    removePlaces: (folder) => removePlaces(clone, folder),
    history: (request) => history(clone, request),
    firstParents: (tip) => firstParents(clone, tip),
    commits: (request) => wholeCommits(clone, request),
    compose: (request) => compose(clone, request),
    variant: (commit, files) => variant(clone, commit, files),
    moveRef: (ref, from, to) => moveRef(clone, { ref, from, to }),
    readRef: (ref) => readRef(clone, ref),
    refs: (prefix) => listRefs(clone, prefix),
    deleteRef: (ref) => deleteRef(clone, ref),
    writeBundle: (request) => writeBundle(clone, request),
    readBundle: (request) => readBundle(clone, request),
    land: (request) => land(clone, request),
    giveUpLanding: (request) => giveUpLanding(clone, request),
    addNotes: (request) => addNotes(clone, request),
    readNotes: (commits) => readNotes(clone, commits),
    checkout: () => readCheckout(clone),
  }
}
