/** The thread that mines a long list. */
import { type Progress, quietly, type UrlList } from "../../model.js";
import type { SiteChoice } from "../../store/urls/url-lists.js";
import { answerQuestions } from "../../thread.js";
import { type MineSiteOptions, mineSiteHere } from "./mine-site.js";
import type { MinedSite } from "./mined-site.js";

export interface MineQuestion {
  readonly choice: SiteChoice;
  readonly list: UrlList;
  readonly options: MineSiteOptions;
}

/** Who ends the mining ends the thread. */
const { signal } = quietly;

answerQuestions<unknown, MineQuestion, MinedSite, Progress>(
  (_, note) =>
    ({ choice, list, options }) =>
      mineSiteHere(choice, list, options, { onProgress: note, signal }),
);
