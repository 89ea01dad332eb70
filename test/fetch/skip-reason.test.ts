import { describe, expect, test } from "vitest";
import { skipReason } from "#src/fetch/skip-reason.js";

const reason = (path: string) => skipReason(new URL(path, "http://forum.test"));

describe("actions are skipped", () => {
  test.each([
    "/logout",
    "/Logout.aspx",
    "/logout.php?sid=1",
    "/user/log-out",
    "/account/signOut",
    "/sign_out/",
    "/%6Cogout",
    "/w/index.php?title=Special:UserLogout&returnto=X",
    "/ucp.php?mode=logout&sid=ab12",
    "/index.php?action=delete&id=5",
    "/post/5/delete",
    "/posts/delete/5",
    "/deletePost.do?id=5",
    "/comment.delete?id=5",
    "/item/remove-5",
    "/newsletter/unsubscribe?u=5",
    "/list?opt-out=1",
    "/confirm/8f3a",
    "/verify/8f3a",
    "/confirmEmail.php",
    "/cart",
    "/cart/",
    "/shop/addToCart?sku=1",
    "/shop/?add-to-cart=17",
    "/add-to-cart.php",
    "/basket.html",
    "/checkout/step1",
    "/poll.php?vote=3",
    "/poll/vote",
    "/vote?id=5&how=up",
    "/x;action=delete",
    "/x?a=1;do=vote",
    "/x?a=1&amp;do=vote",
    "/LOGOUT",
    "/w/index.php?title=X&action=purge",
    "/favourites/add_to/5",
    "/newreply.php?do=deletepost&p=5",
    "/deleteuser/5",
    "/profile.php?do=removelist",
    "/login.php?dologout=1",
    "/shop?addtocart=7",
    "/admin.php?del=5",
    "/list.php?do=del&id=5",
    "/%6Cogout-%E9",
    "/x?do=%64elete%20%FC",
    "/del.php?id=5",
    "/vm/7/kill",
    "/admin/reboot",
    "/order/submit",
    "/pay",
    "/invite/",
    "/invite/8f3a91c0",
    "/magic-link/8f3a91c0",
    "/account/close",
    "/server/restart",
    "/cache/flush",
    "/users/5/disable",
    "/admin/clear-cache",
    "/wp-cron.php",
    "/wishlist/add/5",
    "/order/place",
    "/_switch_user?id=5",
    "/abmelden",
    "/l%C3%B6schen?id=5",
    "/se-deconnexion",
    "/cerrar-sesion",
    "/index.php?action=save",
    "/index.php?task=publish&id=5",
    "/x?op=rm&id=5",
    "/rm.php?id=5",
  ])("%s", (path) => {
    expect(reason(path)).toMatch(/^looks like an action: "/);
  });
});

describe("credentials are skipped", () => {
  test.each(["/x?password=hunter2", "/x?pwd=a", "/x?api_key=abc", "/x?apikey=abc", "/x?access-key=1"])("%s", (path) => {
    expect(reason(path)).toMatch(/^carries somebody's credentials in parameter /);
  });
});

describe("one-time tokens are skipped", () => {
  test.each([
    "/x?token=8f3a91",
    "/password/reset/8f3a91c0d2e4",
    "/users/password-reset/8f3a91c0d2e4/",
    "/password/reset/kQzTrWmBvXhLpNcA",
    "/share/8f3a91c0d2e4",
    "/magic/8f3a91c0d2",
    "/oauth/callback?code=4f8a91bc",
    "/x?csrf_token=abcdef",
    "/x?accessToken=abcdef123",
    "/x?_wpnonce=1a2b3c4d5e",
    "/x?authenticity_token=abcdefgh",
    "/x?key=9f86d081884c7d659a2feaa0c55ad015",
    "/x?X-Amz-Signature=9f86d081884c7d659a2feaa0c55ad015",
    "/x?code=4%2F0AX4XfWhs8d7f6s8d7f6",
    "/x?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7",
    "/x?r=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x",
    "/x;token=8f3a91bb",
  ])("%s", (path) => {
    expect(reason(path)).toMatch(/^carries a /);
  });

  test("and their values are not in the reason", () => {
    expect(reason("/x?token=8f3a91")).toBe("carries a one-time token in parameter token");
  });
});

describe("pages are not skipped", () => {
  test.each([
    "/",
    "/cartoons/",
    "/cartography/",
    "/devote",
    "/devotees/pivotes",
    "/votes/",
    "/news/how-to-delete-your-account",
    "/news/parliament-may-vote-on-friday.html",
    "/undeleted",
    "/removers",
    "/historia/del/arte",
    "/deleted-scenes-list-of-2019",
    "/removed",
    "/confirmation-bias",
    "/search?q=delete",
    "/search?query=cart",
    "/login?returnto=Special:Logout",
    "/login?redirect_uri=/cart",
    "/images/remove.gif",
    "/signoutlet",
    "/blog/logoutput.html",
    "/story?id=5&sid=9f86d081884c7d659a2feaa0c55ad015",
    "/story;jsessionid=9F86D081884C7D659A2FEAA0C55AD015",
    "/story?PHPSESSID=9f86d081884c7d659a2feaa0c55ad015",
    "/story?CFID=5&CFTOKEN=88888888",
    "/story?session_token=88888888",
    "/commit/?id=9f86d081884c7d659a2feaa0c55ad0159f86d081",
    "/list?key=name&order=asc",
    "/list?code=en",
    "/price?token=eth",
    "/list?pageToken=abcdefgh",
    "/list?nextPageToken=abcdefgh",
    "/list?C=N;O=D",
    "/edit",
    "/w/index.php?title=X&action=edit",
    "/w/index.php?title=X&action=history",
    "/buy/houses",
    "/order?sort=up",
    "/%E0%A4%A",
    "/save",
    "/start",
    "/close",
    "/rate?score=5",
    "/list?view=open",
    "/share/how-to-share-a-document",
    "/acronym",
    "/linux/rm",
  ])("%s", (path) => {
    expect(reason(path)).toBeUndefined();
  });
});
