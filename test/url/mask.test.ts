import { describe, expect, it } from "vitest";
import { maskSecrets } from "#src/url/mask.js";

describe("maskSecrets", () => {
  it.each([
    ["http://a.test/x?sid=b299875dff51e5f8&id=7", "http://a.test/x?sid=b2•••&id=7"],
    ["http://a.test/x?PHPSESSID=1234", "http://a.test/x?PHPSESSID=•••"],
    ["http://a.test/x;jsessionid=0A1B2C3D4E/y", "http://a.test/x;jsessionid=0A•••/y"],
    ["http://a.test/x?access_token=ab/cd+ef==&p=1", "http://a.test/x?access_token=ab•••&p=1"],
    [
      "http://a.test/login?return=%2Fx%3Fsid%3Dabcdefgh%26p%3D1",
      "http://a.test/login?return=%2Fx%3Fsid%3Dab•••%26p%3D1",
    ],
    ["https://user:secret@a.test/", "https://user:•••@a.test/"],
    ["http://a.test/reset/3f2a9b7c1d4e5f60", "http://a.test/reset/3f•••"],
    ["http://a.test/o/123e4567-e89b-12d3-a456-426614174000", "http://a.test/o/12•••"],
    ["http://a.test/?j=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x-y_z", "http://a.test/?j=ey•••"],
    ["http://a.test/?q=kQzTrWmBvXhLpNcA", "http://a.test/?q=kQ•••"],
    ["http://a.test/f/q3-Zk_7aB-x9Lw_T2mR-vC4/view", "http://a.test/f/q3•••/view"],
    ["http://a.test/?v=q3-Zk_7aB-x9Lw_T2mR-vC4&p=1", "http://a.test/?v=q3•••&p=1"],
    [
      "http://a.test/l?h=AT01RPtURLCVnqC-P6SHgGOYhWE0J-M3_kr4Zp9wQ2xV7bN3mL-1Bc2De3Fg4Hi5Jk6Lm_u0V6f%0A",
      "http://a.test/l?h=AT•••%0A",
    ],
    ["http://a.test/best-cameras-a1b2c3d4e5f6a7b8c9", "http://a.test/best-cameras-a1•••"],
    ["http://a.test/?n=4111111111111111", "http://a.test/?n=41•••"],
    ["http://a.test/?to=DE89370400440532013000", "http://a.test/?to=DE•••"],
    ["http://a.test/?dob=1952-06-27&first_name=Ada", "http://a.test/?dob=19•••&first_name=•••"],
    ["http://a.test/password/8f3a91c0", "http://a.test/password/8f•••"],
    ["http://a.test/?mot_de_passe=hunter2x&p=1", "http://a.test/?mot_de_passe=hu•••&p=1"],
    ["http://a.test/?contrase%C3%B1a=hunter2x", "http://a.test/?contrase%C3%B1a=hu•••"],
    ["http://a.test/?telefon=%2B49301234567", "http://a.test/?telefon=%2•••"],
    ["http://a.test/?geburtsdatum=1952-06-27", "http://a.test/?geburtsdatum=19•••"],
    ["http://a.test/?d=ann%2540example.org", "http://a.test/?d=an•••"],
    ["http://a.test/?gclid=Cj0KCQiA&msclkid=3f2a&_gl=1*abc", "http://a.test/?gclid=Cj•••&msclkid=•••&_gl=•••"],
    ["http://a.test/?k=AKIAMJWXXBCELBTRBXML", "http://a.test/?k=AK•••"],
    ["http://a.test/?s=ghp_gZifNLVMcozgWmgCJLKQuBUvVLEUSltuavz", "http://a.test/?s=gh•••"],
    ["http://a.test/?x=sk_live_98DJYvLsGQBxmKEhrvjKTD", "http://a.test/?x=sk•••"],
    ["?sid=b299875dff51e5f8", "?sid=b2•••"],
    ["&sid=", "&sid="],
  ])("%s", (before, after) => expect(maskSecrets(before)).toBe(after));

  it.each([
    "http://a.test/2019/best-cameras-of-the-year?id=12345678901234567890",
    "http://a.test/Screenshot20190403.png?inside=yes&page=2",
    "http://forum.test:8017/story_99?rep=38&start=20",
    "http://a.test/HowToDeleteYourAccount/GettingStartedGuide",
    "http://a.test/wiki/Best-Cameras-Of-2019_And_2020-Part-3",
    "http://a.test/?t=1411111111111111&n=4111111111111112",
    "http://a.test/?name=ada&birthplace=x",
    "http://a.test/?clientid=shop&articleid=7&handle=ann",
  ])("leaves %s", (url) => expect(maskSecrets(url)).toBe(url));

  it("changes nothing that it has masked already", () => {
    const once = maskSecrets("http://a.test/x?sid=b299875dff51e5f8&token=abcdefghijkl");
    expect(maskSecrets(once)).toBe(once);
  });
});
