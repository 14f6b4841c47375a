"""Words that carry grammar rather than meaning, folded, a small list a language."""

from __future__ import annotations

import re

EN = """a about above after again against all also am an and any are aren't as at be because been before being below
between both but by can cannot can't could couldn't did didn't do does doesn't doing don't down during each either etc
ever few for from further had hadn't has hasn't have haven't having he he's her here hers herself him himself his how
however i i'm if in into is isn't it it's its itself just let's many may me might more most much must my myself neither
no nor not of off often on once one's only or other others ought our ours ourselves out over own per quite rather same
shall she should shouldn't since so some still such than that that's the their theirs them themselves then there there's
therefore these they they're this those though through thus to too under until up upon us very via was wasn't we were
weren't what when where whether which while who whom whose why will with within without won't would wouldn't yet you
your yours yourself according"""
DE = """aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da dabei
dadurch daher damit dann das dass daß dein deine dem den denn der deren des dessen dich die dies diese diesem diesen
dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwa etwas euch euer eure für gegen hat
hatte hatten habe haben hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden
jeder jedes jedoch jene jetzt kann kannst kein keine keinem keinen keiner können könnte man manche mehr mein meine mich
mir mit muss müssen nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so
sogar solche soll sollte sondern sowie über um und uns unser unter viel vom von vor war waren was weil welche welcher
welches wenn wer werde werden wie wieder wird wir wo wurde wurden während zu zum zur zwar zwischen"""
FR = """à afin ai ainsi alors après as au aucun aussi autre autres aux avait avant avec avoir car ce ceci cela celle
celles celui ces cet cette ceux chaque ci comme comment dans de depuis des deux dont du donc elle elles en encore entre
est et étaient était étant être eu eux fait faire il ils je jusque la là le les leur leurs lors lui ma mais me même
mêmes mes moi moins mon ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus plutôt pour pourquoi quand
que quel quelle quelles quels qui quoi sa sans se sera ses si sien son sont sous sur ta te tes toi ton tous tout toute
toutes très tu un une vers voici vos votre vous y été c'est n'est qu'il qu'elle qu'un qu'une d'un d'une l'on"""
ES = """a al algo algunas algunos ante antes aquel aquella así aun aunque cada como con contra cual cuando de del desde
donde dos durante e el él ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está están estas este
esto estos fue fueron ha había han hasta hay la las le les lo los más me mi mientras muy ni no nos nosotros o os otra
otras otro otros para pero poco por porque pues que qué quien quién se sea según ser si sí sido sin sobre son su sus
también tan tanto te tiene tienen todo todos tu tus un una unas uno unos y ya yo"""
IT = """a ad agli ai al alla alle allo anche ancora avere c'è che chi ci come con contro cui da dagli dai dal dalla
dalle dei del della delle dello di dove due e è ed era erano essere fra gli ha hanno i il in io l'ha la le lei li lo
loro lui ma mentre mi molto ne negli nei nel nella nelle nello no noi non nostro o ogni per perché più poi pure quale
quando quanto quella quelle quello questa queste questi questo se sei si sia sono stata stato su sua sue sugli sui sul
sulla sulle suo suoi tra tutti tutto un una uno"""
PT = """a à ao aos após as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era
eram essa esse esta está este foi foram há isso isto já lhe mais mas mesmo muito na não nas nem no nos nós o os ou para
pela pelas pelo pelos por porque qual quando que quem se sem ser seu seus sob sobre são sua suas também tem tinha um uma
umas uns você"""
NL = """aan al alle als altijd ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had heb
hebben heeft hem het hier hij hoe hun iets ik in is ja je kan kunnen maar me meer men met mij mijn moet na naar niet
niets nog nu of om omdat ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat we wel werd
wezen wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou"""
RU = """а без более бы был была были было быть в вам вас весь во вот все всего вы где да для до его ее ей ему если есть
еще же за здесь и из или им их к как когда кто ли либо мне может мы на над не него нее нет ни них но о об однако он она
они оно от по под при с со так также там тем то того тоже той только том ты у уже хотя чего чей чем что чтобы эта эти
это этот я"""
HI = """का की के को में से पर ने है हैं था थी थे हो होना और या यह वह ये वे इस उस इन उन एक तक लिए साथ भी ही तो कि
जो जिस पास द्वारा अपने अपनी अपना मेरा मेरी मेरे हम आप मैं तुम वहाँ यहाँ बाद पहले अब फिर जब तब कर करना
करने किया गया गई गए रहा रही रहे रहता रहती रहते होता होती होते जाता जाती जाते सकता सकती सकते क्या कौन कहाँ
कब कैसे क्यों कितना कितनी कितने किस किसने वाला वाली वाले भर बनने"""
STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.replace("ß", "ss").split())
    for language, words in {
        "en": EN,
        "de": DE,
        "fr": FR,
        "es": ES,
        "it": IT,
        "pt": PT,
        "nl": NL,
        "ru": RU,
        "hi": HI,
    }.items()
}
# In Chinese and Japanese these characters join words; what stands between them is what a sentence is about.
FUNCTION_CHARACTERS = re.compile("[\u3041-\u309f]+|[的了是在和与與及也都就而被把这這那]")
